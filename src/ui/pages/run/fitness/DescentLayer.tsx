import { useMemo } from "react";
import { usePlotArea, useXAxisScale, useYAxisScale, ZIndexLayer } from "recharts";
import { lastCellOf } from "../../../series/historyCells.ts";
import { useHighlight } from "../../../state/highlight.ts";
import { descentPaths, lineOf } from "../charts/descentModel.ts";
import type { FitnessModel } from "./fitnessModel.ts";

/** Below the chart library's lines, above its areas. */
const LEVEL = 350;

interface Props {
  readonly model: FitnessModel;
  readonly clip: string;
  /** Whether each member's values are drawn as dots. */
  readonly dots: boolean;
}

/**
 * Lines that connect members to their parents, and on top the lineage of the member highlighted in any view.
 */
export function DescentLayer({ model, clip, dots }: Props) {
  const { all, positions, shown, smooth, crowded } = model;
  const { columns, colours, fate } = all;
  const area = usePlotArea();
  const xScale = useXAxisScale();
  const yScale = useYAxisScale();
  const member = useHighlight((state) => state.member);
  const lit = member === null ? null : lastCellOf(columns, member, fate.row);
  const place = useMemo(
    () => ({
      x: (row: number) => xScale?.(positions[row] ?? 0) ?? 0,
      y: (value: number) => yScale?.(value) ?? 0,
    }),
    [xScale, yScale, positions],
  );
  const drawn = useMemo(
    () => (crowded ? null : descentPaths(all, shown, place)),
    [crowded, all, shown, place],
  );
  const behind = useMemo(
    () => (crowded || !smooth ? null : descentPaths(all, columns.fitness, place)),
    [crowded, smooth, all, columns, place],
  );
  if (area === undefined) return null;
  return (
    <ZIndexLayer zIndex={LEVEL}>
      <clipPath id={clip}>
        <rect x={area.x} y={area.y} width={area.width} height={area.height} />
      </clipPath>
      <g className="fitness-descent" clipPath={`url(#${clip})`} fill="none">
        {behind !== null && (
          <path
            className="fitness-descent__raw"
            d={[behind.ended, ...behind.living].join("")}
            stroke="var(--ink-3)"
            strokeOpacity={0.2}
          />
        )}
        {drawn !== null && (
          <>
            <path
              className="fitness-descent__ended"
              d={drawn.ended}
              stroke="var(--ink-3)"
              strokeWidth={1}
              strokeOpacity={0.35}
            />
            {drawn.living.map((path, colour) => (
              <path
                key={colour}
                className="fitness-descent__living"
                d={path}
                stroke={`var(--slot-${colour})`}
                strokeWidth={1.25}
                strokeOpacity={lit === null ? 0.7 : 0.25}
              />
            ))}
          </>
        )}
        {dots && !crowded && <MemberDots model={model} x={place.x} y={place.y} />}
        {lit !== null && (
          <path
            className="fitness-descent__lit"
            d={lineOf(all, shown, lit, place)}
            stroke={`var(--slot-${colours.of(member ?? -1)})`}
            strokeWidth={2.5}
          />
        )}
      </g>
    </ZIndexLayer>
  );
}

interface DotsProps {
  readonly model: FitnessModel;
  readonly x: (row: number) => number;
  readonly y: (value: number) => number;
}

/** A dot for each evaluated member. */
function MemberDots({ model: { all, rows, shown }, x, y }: DotsProps) {
  const { columns, colours, fate } = all;
  const { population, index } = columns;
  return rows.flatMap(({ row }) =>
    Array.from({ length: population }, (_, slot) => row * population + slot)
      .filter((cell) => Number.isFinite(shown[cell]))
      .map((cell) => (
        <circle
          key={cell}
          className="fitness-descent__dot"
          cx={x(row)}
          cy={y(shown[cell] ?? Number.NaN)}
          r={2.5}
          fill={fate.survives[cell] === 1 ? `var(--slot-${colours.of(index[cell] ?? -1)})` : "var(--ink-3)"}
        />
      )),
  );
}
