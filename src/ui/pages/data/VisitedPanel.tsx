import { useEffect, useId, useRef, useState } from "react";
import type { VisitedSpace } from "../../../datasets/view.ts";
import { Select } from "../../components/controls.tsx";
import { Panel } from "../../components/Panel.tsx";
import { contextInPixels, onThemeChange, tokenColours } from "../../lib/drawing.ts";
import { formatCount, formatHyperparameter } from "../../lib/format.ts";
import { useElementWidth } from "../../lib/useElement.ts";

interface Axis {
  readonly min: number;
  readonly max: number;
}

/** The range of one component of the observations; never empty. */
function axisOf({ values, size }: VisitedSpace, index: number): Axis {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let at = index; at < values.length; at += size) {
    const value = values[at] ?? 0;
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  return min < max ? { min, max } : { min: min - 0.5, max: max + 0.5 };
}

interface ScatterLook {
  readonly width: number;
  readonly height: number;
  readonly colour: string;
}

const RADIUS = 1.5;
/** Overlapping dots look darker. */
const OPACITY = 0.45;

/** Draws the dots: `x` from left to right, `y` from the bottom up. */
function drawScatter(
  context: CanvasRenderingContext2D,
  space: VisitedSpace,
  [x, y]: readonly [number, number],
  { width, height, colour }: ScatterLook,
): void {
  const [across, up] = [axisOf(space, x), axisOf(space, y)];
  const { values, size } = space;
  context.clearRect(0, 0, width, height);
  context.fillStyle = colour;
  context.globalAlpha = OPACITY;
  const share = (value: number, { min, max }: Axis): number => (value - min) / (max - min);
  for (let row = 0; row < values.length; row += size) {
    const left = RADIUS + share(values[row + x] ?? 0, across) * (width - 2 * RADIUS);
    const top = height - RADIUS - share(values[row + y] ?? 0, up) * (height - 2 * RADIUS);
    context.beginPath();
    context.arc(left, top, RADIUS, 0, 2 * Math.PI);
    context.fill();
  }
  context.globalAlpha = 1;
}

const HEIGHT = 280;

interface PanelProps {
  readonly space: VisitedSpace | null;
  /** What the environment calls the components; null if nobody says. */
  readonly names: readonly string[] | null;
}

/** A scatter plot of two components of a sample of the observations. */
export function VisitedPanel({ space, names }: PanelProps) {
  return (
    <Panel title="Visited states">
      {space === null ? (
        <p className="empty">Observations are images, so single components are not informative.</p>
      ) : (
        <Scatter space={space} names={names?.length === space.size ? names : null} />
      )}
    </Panel>
  );
}

interface ScatterProps extends PanelProps {
  readonly space: VisitedSpace;
}

function Scatter({ space, names }: ScatterProps) {
  const { size, values } = space;
  const [x, setX] = useState(0);
  const [y, setY] = useState(Math.min(1, size - 1));
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, ref } = useElementWidth();
  useEffect(() => {
    const element = canvas.current;
    if (element === null || width === 0) return undefined;
    const draw = (): void => {
      const context = contextInPixels(element);
      const host = element.parentElement;
      if (context === null || host === null) return;
      const colour = tokenColours(host, ["accent"]).accent;
      drawScatter(context, space, [x, y], { width, height: HEIGHT, colour });
    };
    draw();
    return onThemeChange(draw);
  }, [space, x, y, width]);
  const [across, up] = [axisOf(space, x), axisOf(space, y)];
  const nameOf = (index: number): string => names?.[index] ?? `observation[${index}]`;
  const all = Array.from({ length: size }, (_, index) => nameOf(index));
  const range = ({ min, max }: typeof across): string =>
    `${formatHyperparameter(min)} to ${formatHyperparameter(max)}`;
  return (
    <div className="panel__body stack">
      <div className="row quiet data__axes">
        <NumberChoice label="x axis" names={all} value={x} onChange={setX} />
        <NumberChoice label="y axis" names={all} value={y} onChange={setY} />
        <span>{formatCount(values.length / size)} observations, sampled across the data set</span>
      </div>
      <div ref={ref} className="data__dots">
        <canvas ref={canvas} aria-hidden="true" />
      </div>
      <p className="quiet">
        Across, {nameOf(x)}: {range(across)}; up, {nameOf(y)}: {range(up)}. Each dot is one observation.
      </p>
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly names: readonly string[];
  readonly value: number;
  readonly onChange: (value: number) => void;
}

function NumberChoice({ label, names, value, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <span>
      <label htmlFor={id}>{label}</label>{" "}
      <Select
        className="auto-width"
        id={id}
        value={value}
        options={names.map((name, index) => [index, name] as const)}
        onChange={(chosen) => onChange(Number(chosen))}
      />
    </span>
  );
}
