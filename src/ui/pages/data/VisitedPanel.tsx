import { useEffect, useId, useRef, useState } from "react";
import type { VisitedSpace } from "../../../datasets/view.ts";
import { Select } from "../../components/controls.tsx";
import { Panel } from "../../components/Panel.tsx";
import { contextInPixels } from "../../lib/canvas.ts";
import { onThemeChange, tokenColours } from "../../lib/colours.ts";
import { formatCount, formatHyperparameter } from "../../lib/format.ts";
import { useElementWidth } from "../../lib/useElement.ts";
import { axisOf, drawScatter } from "./scatter.ts";

const HEIGHT = 280;

/** A scatter plot of two components of a sample of the observations. */
export function VisitedPanel({ space }: { readonly space: VisitedSpace | null }) {
  return (
    <Panel title="Visited states">
      {space === null ? (
        <p className="empty">Observations are images, so single components are not informative.</p>
      ) : (
        <Scatter space={space} />
      )}
    </Panel>
  );
}

function Scatter({ space }: { readonly space: VisitedSpace }) {
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
  const range = ({ min, max }: typeof across): string =>
    `${formatHyperparameter(min)} to ${formatHyperparameter(max)}`;
  return (
    <div className="panel__body data__visited">
      <div className="row data__axes">
        <NumberChoice label="x axis" size={size} value={x} onChange={setX} />
        <NumberChoice label="y axis" size={size} value={y} onChange={setY} />
        <span>{formatCount(values.length / size)} observations, sampled across the data set</span>
      </div>
      <div ref={ref} className="data__dots">
        <canvas ref={canvas} aria-hidden="true" />
      </div>
      <p className="data__ranges">
        x: {range(across)}; y: {range(up)}. Each dot is one observation.
      </p>
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly size: number;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

function NumberChoice({ label, size, value, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <span>
      <label htmlFor={id}>{label}</label>{" "}
      <Select
        id={id}
        value={value}
        options={Array.from({ length: size }, (_, number) => [number, `observation[${number}]`] as const)}
        onChange={(chosen) => onChange(Number(chosen))}
      />
    </span>
  );
}
