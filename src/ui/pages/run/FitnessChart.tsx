import { memo, useMemo } from "react";
import { Area, CartesianGrid, ComposedChart, Line, ReferenceLine, Tooltip, XAxis, YAxis } from "recharts";
import { slotColour, slotDash } from "../../components/slotStyle.ts";
import { formatDuration, formatScore, formatShort } from "../../lib/format.ts";
import { useElementWidth } from "../../lib/useElementWidth.ts";
import type { ChartAxis } from "../../routes/route.ts";
import type { ChartRow } from "../../series/chartRows.ts";
import { ticksAround, ticksWithin } from "../../series/ticks.ts";
import { useHighlight } from "../../state/highlight.ts";
import { FitnessTooltip } from "./FitnessTooltip.tsx";

interface Props {
  readonly rows: readonly ChartRow[];
  readonly slots: number;
  readonly axis: ChartAxis;
  readonly target: number | null;
}

const HEIGHT = 320;
const MARGIN = { top: 12, right: 16, bottom: 22, left: 0 };
const Y_WIDTH = 56;

const AXIS_LABELS: Readonly<Record<ChartAxis, string>> = {
  steps: "environment steps of the population",
  generation: "generation",
  time: "training time",
};
const formatters: Readonly<Record<ChartAxis, (value: number) => string>> = {
  steps: formatShort,
  generation: String,
  time: formatDuration,
};

// Recharts draws again what gets a new function, so that each slot has one for good.
const slotKeys: ((row: ChartRow) => number | null)[] = [];
const slotKey = (slot: number): ((row: ChartRow) => number | null) => {
  slotKeys[slot] ??= (row) => row.slots[slot] ?? null;
  return slotKeys[slot];
};

/** Smallest and largest value that the chart must show. */
function extent(rows: readonly ChartRow[], target: number | null): readonly [number, number] {
  let low = target ?? Number.POSITIVE_INFINITY;
  let high = target ?? Number.NEGATIVE_INFINITY;
  for (const row of rows) {
    for (const value of row.slots) {
      if (value === null) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  return [low, high];
}

/** The fitness chart at a given width; see FitnessPanel for its words. */
const Plot = memo(function Plot({ rows, slots, axis, target, width }: Props & { readonly width: number }) {
  const highlighted = useHighlight((state) => state.slot);
  const lit = highlighted !== null && highlighted < slots ? highlighted : null;
  const xTicks = useMemo(
    () => ticksWithin(rows[0]?.x ?? 0, rows.at(-1)?.x ?? 1, Math.max(2, width / 110)),
    [rows, width],
  );
  const yTicks = useMemo(() => {
    const [low, high] = extent(rows, target);
    return ticksAround(low, high, 5);
  }, [rows, target]);
  // A line of a single point has no length, so it is drawn as a dot.
  const dot = rows.length === 1 ? { r: 3.5 } : false;
  // Recharts wants an array that it may write to, though it does not.
  const data = useMemo(() => [...rows], [rows]);
  return (
    <ComposedChart width={width} height={HEIGHT} data={data} margin={MARGIN} accessibilityLayer>
      <CartesianGrid stroke="var(--line)" vertical={false} />
      <XAxis
        dataKey="x"
        type="number"
        domain={["dataMin", "dataMax"]}
        ticks={xTicks}
        interval={0}
        tickFormatter={formatters[axis]}
        stroke="var(--line-strong)"
        tick={TICK}
        tickMargin={6}
        label={{ value: AXIS_LABELS[axis], position: "insideBottom", offset: -16, ...TICK }}
      />
      <YAxis
        type="number"
        width={Y_WIDTH}
        domain={[yTicks[0] ?? 0, yTicks.at(-1) ?? 1]}
        ticks={yTicks}
        interval={0}
        tickFormatter={formatShort}
        stroke="var(--line-strong)"
        tick={TICK}
      />
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
      {Array.from({ length: slots }, (_, slot) => (
        <Line
          key={slot}
          className={`fitness-line fitness-line--${slot}`}
          dataKey={slotKey(slot)}
          stroke={slotColour(slot)}
          strokeDasharray={slotDash(slot)}
          strokeWidth={lit === slot ? 3 : slots > 16 ? 1 : 1.75}
          strokeOpacity={lit === null || lit === slot ? 1 : 0.25}
          isAnimationActive={false}
          activeDot={lit === slot}
          dot={dot}
        />
      ))}
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
      <Line
        className="fitness-best"
        dataKey="best"
        type="stepAfter"
        stroke="var(--ink)"
        strokeWidth={2.25}
        isAnimationActive={false}
        activeDot={false}
        dot={dot}
      />
      {target !== null && (
        <ReferenceLine
          y={target}
          stroke="var(--elite)"
          strokeDasharray="8 4"
          label={{ value: `target ${formatScore(target)}`, position: "insideTopLeft", ...TARGET_LABEL }}
        />
      )}
      <Tooltip
        content={<FitnessTooltip axis={axis} format={formatters[axis]} />}
        isAnimationActive={false}
        cursor={CURSOR}
      />
    </ComposedChart>
  );
});

const TICK = { fill: "var(--ink-3)", fontSize: 12 } as const;
const TARGET_LABEL = { fill: "var(--elite)", fontSize: 12 } as const;
const CURSOR = { stroke: "var(--line-strong)", strokeWidth: 1 } as const;

/** Fitness of every slot, the best so far, mean and spread, and the target, as wide as its place. */
export function FitnessChart(props: Props) {
  const { width, ref } = useElementWidth();
  return (
    <div className="fitness__plot" ref={ref}>
      {width > 0 && <Plot {...props} width={width} />}
    </div>
  );
}
