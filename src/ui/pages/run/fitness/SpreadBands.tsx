import { Area, Line } from "recharts";

const QUIET = { isAnimationActive: false, activeDot: false } as const;

/** For a large population or a long run: bands of the full range and of the middle half, and the median. */
export function SpreadBands({
  dot,
  faint,
}: {
  readonly dot: { readonly r: number } | false;
  readonly faint: boolean;
}) {
  return (
    <>
      <Area
        {...QUIET}
        className="fitness-spread"
        dataKey="range"
        stroke="none"
        fill="var(--accent)"
        fillOpacity={0.14}
        dot={false}
      />
      <Area
        {...QUIET}
        className="fitness-spread"
        dataKey="middle"
        stroke="none"
        fill="var(--accent)"
        fillOpacity={0.22}
        dot={false}
      />
      <Line
        {...QUIET}
        className="fitness-median"
        dataKey="median"
        stroke="var(--accent)"
        strokeWidth={1.5}
        strokeOpacity={faint ? 0.3 : 1}
        dot={dot}
      />
    </>
  );
}
