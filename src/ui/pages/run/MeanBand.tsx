import { Area, Line } from "recharts";

/** A small population's mean, and one standard deviation to either side of it. */
export function MeanBand() {
  return (
    <>
      <Area
        dataKey="band"
        className="fitness-band"
        stroke="none"
        fill="var(--ink-3)"
        fillOpacity={0.14}
        isAnimationActive={false}
        activeDot={false}
        dot={false}
      />
      <Line
        className="fitness-mean"
        dataKey="mean"
        stroke="var(--ink-3)"
        strokeDasharray="3 3"
        strokeWidth={1.5}
        isAnimationActive={false}
        activeDot={false}
        dot={false}
      />
    </>
  );
}
