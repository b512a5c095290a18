import { type PointerEvent, useState } from "react";
import { createPortal } from "react-dom";
import { usePlotArea, useXAxisInverseScale, useXAxisScale, useYAxisScale, ZIndexLayer } from "recharts";
import { Facts, fact } from "../../../components/Facts.tsx";
import { LineageSwatch } from "../../../components/marks.tsx";
import { formatCount, formatScore } from "../../../lib/format.ts";
import { hasMoved, highlightMember } from "../../../state/highlight.ts";
import type { FitnessModel, FitnessRow } from "./fitnessModel.ts";

interface TooltipProps {
  readonly model: FitnessModel;
  readonly row: FitnessRow;
  readonly format: (value: number) => string;
}

const MAX_MEMBERS = 8;

const range = ([low, high]: readonly [number, number]): string =>
  `${formatScore(low)} – ${formatScore(high)}`;

/** The values of one generation, best first. */
function FitnessTooltip({ model, row, format }: TooltipProps) {
  const { all, axis, crowded } = model;
  const { population, index, fitness, generation } = all.columns;
  const members = Array.from({ length: population }, (_, slot) => row.row * population + slot)
    .map((cell) => ({ member: index[cell] ?? -1, value: fitness[cell] ?? Number.NaN }))
    .filter(({ value }) => Number.isFinite(value))
    .sort((a, b) => b.value - a.value)
    .slice(0, MAX_MEMBERS);
  return (
    <>
      <p>
        Generation {formatCount(generation[row.row] ?? 0)}
        {axis !== "generation" && ` · ${format(row.x)}`}
        {axis === "steps" && " steps"}
      </p>
      <Facts
        rows={[
          ...(crowded
            ? []
            : members.map(({ member, value }) =>
                fact(
                  <>
                    <LineageSwatch colour={all.colours.of(member)} /> #{member}
                  </>,
                  formatScore(value),
                ),
              )),
          ["Median", formatScore(row.raw?.median ?? row.median)],
          ...(crowded
            ? ([
                ["Elite's lineage", formatScore(row.raw?.elite ?? row.elite)],
                ["Middle half", range(row.middle)],
                ["All", range(row.range)],
              ] as const)
            : []),
          ["Best so far", formatScore(row.best)],
        ]}
      />
    </>
  );
}

interface Props {
  readonly model: FitnessModel;
  readonly format: (value: number) => string;
  /** The element that contains the tooltip. */
  readonly host: HTMLElement | null;
  /** Called with the history's row of the clicked generation. */
  readonly onChoose: (row: number) => void;
}

const LEVEL = 1100;
/** Maximum distance in pixels at which the pointer selects a line. */
const REACH = 24;
const TIP_WIDTH = 180;

/** The index in `rows` nearest to a horizontal position. */
function nearestRow(rows: readonly FitnessRow[], x: number): number {
  let nearest = -1;
  let least = Number.POSITIVE_INFINITY;
  for (const [at, row] of rows.entries()) {
    const distance = Math.abs(row.x - x);
    if (distance < least) [nearest, least] = [at, distance];
  }
  return nearest;
}

/**
 * A cursor at the generation under the pointer. It is stored as a generation rather than a pixel, because the
 * axis grows.
 */
export function CursorLayer({ model, format, host, onChoose }: Props) {
  const [at, setAt] = useState<number | null>(null);
  const area = usePlotArea();
  const xScale = useXAxisScale();
  const yScale = useYAxisScale();
  const inverse = useXAxisInverseScale();
  if (area === undefined || xScale === undefined || yScale === undefined || inverse === undefined)
    return null;
  const { rows, all, shown, crowded } = model;
  const { population, index } = all.columns;

  const memberNear = (row: number, y: number): number | null => {
    let nearest: number | null = null;
    let least = REACH;
    for (let cell = row * population; cell < (row + 1) * population; cell += 1) {
      const value = shown[cell] ?? Number.NaN;
      const distance = Number.isFinite(value) ? Math.abs((yScale(value) ?? 0) - y) : Number.POSITIVE_INFINITY;
      if (distance < least) [nearest, least] = [index[cell] ?? null, distance];
    }
    return nearest;
  };
  const move = (event: PointerEvent<SVGRectElement>): void => {
    // The event also fires when the page moves under a resting pointer.
    if (!hasMoved(event)) return;
    const box = event.currentTarget.getBoundingClientRect();
    const found = rows[nearestRow(rows, Number(inverse(area.x + event.clientX - box.left)))];
    setAt(found?.row ?? null);
    if (!crowded && found !== undefined)
      highlightMember(memberNear(found.row, area.y + event.clientY - box.top));
  };
  const leave = (): void => {
    setAt(null);
    highlightMember(null);
  };
  const row = rows.find((candidate) => candidate.row === at);
  const x = row === undefined ? null : (xScale(row.x) ?? null);
  return (
    <ZIndexLayer zIndex={LEVEL}>
      {x !== null && (
        <line
          className="fitness-cursor"
          x1={x}
          x2={x}
          y1={area.y}
          y2={area.y + area.height}
          stroke="var(--line-strong)"
        />
      )}
      {/* Keyboard users have the scrubber, and the table shows the values. */}
      <rect
        className="fitness-target"
        x={area.x}
        y={area.y}
        width={area.width}
        height={area.height}
        fill="transparent"
        onPointerMove={move}
        onPointerLeave={leave}
        onClick={() => row !== undefined && onChoose(row.row)}
      />
      {row !== undefined &&
        x !== null &&
        host !== null &&
        createPortal(
          <div
            className="fitness-tooltip"
            style={{
              left: x + TIP_WIDTH + 24 > area.x + area.width ? x - TIP_WIDTH - 12 : x + 12,
              width: TIP_WIDTH,
            }}
          >
            <FitnessTooltip model={model} row={row} format={format} />
          </div>,
          host,
        )}
    </ZIndexLayer>
  );
}
