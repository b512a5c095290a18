import { memo, useId, useMemo, useState } from "react";
import { CartesianGrid, ComposedChart, Line, ReferenceLine, XAxis, YAxis } from "recharts";
import { formatShort } from "../../../lib/format.ts";
import { useElementWidth } from "../../../lib/useElement.ts";
import type { ChartAxis } from "../../../routes/route.ts";
import { formatPosition, ticksWithin } from "../../../series/scales.ts";
import { CursorLayer } from "./CursorLayer.tsx";
import { DescentLayer } from "./DescentLayer.tsx";
import { AgentLines, ClipMark, SpreadBands } from "./FitnessLayers.tsx";
import type { FitnessModel, FitnessRow } from "./fitnessModel.ts";

interface Props {
  readonly model: FitnessModel;
  /** Called with the history's row of the clicked generation. */
  readonly onChoose: (row: number) => void;
}

const HEIGHT = 320;
/** Maximum number of evaluations that are drawn as dots. */
const MOST_DOTS = 60;
/** At the right, half a label of the horizontal axis has room. */
const MARGIN = { top: 12, right: 28, bottom: 22, left: 0 };
const Y_WIDTH = 56;
const TICK = { fill: "var(--ink-3)", fontSize: 12 } as const;
const LINE = { isAnimationActive: false, activeDot: false } as const;

const AXIS_LABELS: Readonly<Record<ChartAxis, string>> = {
  steps: "population steps",
  generation: "generation",
  time: "training time",
};

// Recharts redraws a line whose function changes.
const rawElite = ({ raw }: FitnessRow): number | null => raw?.elite ?? null;
const rawMedian = ({ raw }: FitnessRow): number | null => raw?.median ?? null;

/** The chart at a given width; Fitness adds its text summary. */
const Plot = memo(function Plot({ model, onChoose, width }: Props & { readonly width: number }) {
  const { rows, axis, crowded, smooth, domain, target, all, positions, agents } = model;
  const clip = useId();
  const [host, setHost] = useState<HTMLDivElement | null>(null);
  const xTicks = useMemo(
    () => ticksWithin(rows[0]?.x ?? 0, rows.at(-1)?.x ?? 1, Math.max(2, width / 110)),
    [rows, width],
  );
  // A line of a single point has no length, and between few evaluations the points matter.
  const dots = rows.length === 1 || (rows.length < all.columns.generations && rows.length <= MOST_DOTS);
  const dot = dots ? { r: 3 } : false;
  // Recharts requires a mutable array, although it does not write to it.
  const data = useMemo(() => [...rows], [rows]);
  const { row } = all.fate;
  const looksBack = row < all.columns.generations - 1;
  return (
    <>
      <ComposedChart width={width} height={HEIGHT} data={data} margin={MARGIN} accessibilityLayer={false}>
        <CartesianGrid stroke="var(--line)" vertical={false} />
        <XAxis
          dataKey="x"
          type="number"
          domain={["dataMin", "dataMax"]}
          ticks={xTicks}
          interval={0}
          tickFormatter={formatPosition[axis]}
          stroke="var(--line-strong)"
          tick={TICK}
          tickMargin={6}
          label={{ value: AXIS_LABELS[axis], position: "insideBottom", offset: -16, ...TICK }}
        />
        <YAxis
          type="number"
          width={Y_WIDTH}
          domain={[domain.ticks[0] ?? 0, domain.ticks.at(-1) ?? 1]}
          allowDataOverflow
          ticks={[...domain.ticks]}
          interval={0}
          tickFormatter={formatShort}
          stroke="var(--line-strong)"
          tick={TICK}
        />
        {crowded && <SpreadBands dot={dot} faint={false} />}
        {crowded && smooth && (
          <Line
            {...LINE}
            className="fitness-raw"
            dataKey={rawMedian}
            stroke="var(--accent)"
            strokeOpacity={0.3}
            dot={false}
          />
        )}
        <DescentLayer model={model} clip={clip} dots={dots} />
        <Line
          {...LINE}
          className="fitness-best"
          dataKey="best"
          stroke="var(--ink)"
          strokeWidth={1.5}
          strokeDasharray="2 3"
          dot={dot}
        />
        {smooth && (
          <Line
            {...LINE}
            className="fitness-raw"
            dataKey={rawElite}
            stroke="var(--elite)"
            strokeOpacity={0.3}
            dot={false}
          />
        )}
        <Line
          {...LINE}
          className="fitness-elite"
          dataKey="elite"
          stroke="var(--elite)"
          strokeWidth={2.5}
          connectNulls
          dot={dot}
        />
        {all.selected !== null && (
          <Line
            {...LINE}
            className="fitness-selected"
            dataKey="selected"
            stroke="var(--ink)"
            strokeWidth={2}
            connectNulls
            dot={dot}
          />
        )}
        <AgentLines agents={agents.length} dot={dot} />
        {target !== null && <ReferenceLine y={target} stroke="var(--elite)" strokeDasharray="8 4" />}
        {looksBack && (
          <ReferenceLine
            className="fitness-looked"
            x={positions[row] ?? 0}
            stroke="var(--accent)"
            strokeWidth={1.5}
          />
        )}
        <ClipMark domain={domain} />
        <CursorLayer model={model} format={formatPosition[axis]} host={host} onChoose={onChoose} />
      </ComposedChart>
      <div ref={setHost} />
    </>
  );
});

/** Fitness of the population by descent, the best so far and the target, at the width of its container. */
export function FitnessChart(props: Props) {
  const { width, ref } = useElementWidth();
  return (
    <div className="fitness__plot" ref={ref}>
      {width > 0 && <Plot {...props} width={width} />}
    </div>
  );
}
