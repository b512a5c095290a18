import { memo, useMemo } from "react";
import { CartesianGrid, ComposedChart, Line, ReferenceLine, Tooltip, XAxis, YAxis } from "recharts";
import { formatDuration, formatScore, formatShort } from "../../lib/format.ts";
import { useElementWidth } from "../../lib/useElementWidth.ts";
import type { ChartAxis } from "../../routes/route.ts";
import type { ChartRow } from "../../series/chartRows.ts";
import { ticksAround, ticksWithin } from "../../series/ticks.ts";
import { useHighlight } from "../../state/highlight.ts";
import { AgentLines } from "./AgentLines.tsx";
import { FitnessTooltip } from "./FitnessTooltip.tsx";
import { linedSlots } from "./linedSlots.ts";
import { MeanBand } from "./MeanBand.tsx";
import { MemberLines } from "./MemberLines.tsx";
import { SpreadBands } from "./SpreadBands.tsx";

interface Props {
  readonly rows: readonly ChartRow[];
  /** Members of the population. */
  readonly slots: number;
  /** Agents of the selected member that have lines; 0 where members are one agent. */
  readonly agents: number;
  /** Slot whose details are open. */
  readonly selected: number | null;
  readonly axis: ChartAxis;
  readonly target: number | null;
}

const HEIGHT = 320;
const MARGIN = { top: 12, right: 16, bottom: 22, left: 0 };
const Y_WIDTH = 56;

const AXIS_LABELS: Readonly<Record<ChartAxis, string>> = {
  steps: "steps of the population",
  generation: "generation",
  time: "training time",
};
const formatters: Readonly<Record<ChartAxis, (value: number) => string>> = {
  steps: formatShort,
  generation: String,
  time: formatDuration,
};

/** Smallest and largest value that the chart must show. */
function extent(
  rows: readonly ChartRow[],
  lines: readonly number[],
  target: number | null,
): readonly [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  const show = (value: number | null | undefined): void => {
    if (value === null || value === undefined) return;
    low = Math.min(low, value);
    high = Math.max(high, value);
  };
  show(target);
  for (const { slots, spread, elite, best, agents = [] } of rows) {
    for (const slot of lines) show(slots[slot]);
    for (const value of agents) show(value);
    show(spread?.outer[0]);
    show(elite);
    show(best);
  }
  return [low, high];
}

/** The fitness chart at a given width; see FitnessPanel for its words. */
const Plot = memo(function Plot({
  rows,
  slots,
  agents,
  selected,
  axis,
  target,
  width,
}: Props & { readonly width: number }) {
  const highlighted = useHighlight((state) => state.slot);
  const lit = highlighted !== null && highlighted < slots ? highlighted : null;
  const { all, lines } = useMemo(() => linedSlots(slots, [selected, lit]), [slots, selected, lit]);
  const xTicks = useMemo(
    () => ticksWithin(rows[0]?.x ?? 0, rows.at(-1)?.x ?? 1, Math.max(2, width / 110)),
    [rows, width],
  );
  const yTicks = useMemo(() => {
    const [low, high] = extent(rows, lines, target);
    return ticksAround(low, high, 5);
  }, [rows, lines, target]);
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
      {all ? <MeanBand /> : <SpreadBands dot={dot} />}
      <MemberLines slots={lines} lit={lit} selected={selected} dot={dot} />
      {selected !== null && <AgentLines slot={selected} agents={agents} dot={dot} />}
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
