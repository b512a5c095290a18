import { Area, Line } from "recharts";
import type { ChartRow } from "../../series/chartRows.ts";

const outer = (row: ChartRow) => row.spread?.outer ?? null;
const inner = (row: ChartRow) => row.spread?.inner ?? null;
const median = (row: ChartRow) => row.spread?.median ?? null;

const QUIET = { isAnimationActive: false, activeDot: false } as const;

/** A large population's fitness: percentiles as bands, the median, and each generation's best member. */
export function SpreadBands({ dot }: { readonly dot: { readonly r: number } | false }) {
  return (
    <>
      <Area
        {...QUIET}
        className="fitness-spread"
        dataKey={outer}
        stroke="none"
        fill="var(--accent)"
        fillOpacity={0.16}
        dot={false}
      />
      <Area
        {...QUIET}
        className="fitness-spread"
        dataKey={inner}
        stroke="none"
        fill="var(--accent)"
        fillOpacity={0.26}
        dot={false}
      />
      <Line
        {...QUIET}
        className="fitness-median"
        dataKey={median}
        stroke="var(--accent)"
        strokeWidth={1.5}
        dot={dot}
      />
      <Line
        {...QUIET}
        className="fitness-elite"
        dataKey="elite"
        stroke="var(--ink-2)"
        strokeWidth={1}
        dot={dot}
      />
    </>
  );
}
