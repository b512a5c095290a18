import { NumberColumn } from "../../tracking/NumberColumn.ts";
import type { ChartAxis } from "../routes/route.ts";
import type { FitnessSeries } from "./FitnessSeries.ts";
import type { Spread } from "./SpreadColumns.ts";

/** One position of the fitness chart. Values that are no number are null: a gap in the line. */
export interface ChartRow {
  readonly x: number;
  readonly slots: readonly (number | null)[];
  readonly best: number | null;
  readonly mean: number | null;
  /** Mean less and plus one standard deviation. */
  readonly band: readonly [number, number] | null;
  /** Of populations too large for a line each; else null. */
  readonly spread: Spread | null;
  /** Fitness of the generation's best member, where there is a spread. */
  readonly elite: number | null;
  /** Of each agent of the chosen member, where members are several; else absent. */
  readonly agents?: readonly (number | null)[];
}

/** What the chosen member's agents have in a row. */
function ofAgents({ agents }: FitnessSeries, slot: number | null, index: number): Pick<ChartRow, "agents"> {
  const { agents: ids } = agents;
  if (slot === null || ids.length === 0) return {};
  return { agents: ids.map((_id, agent) => orNull(agents.at(index, slot, agent))) };
}

/** Points a line may have at most; more cost time and show nothing on a screen. */
export const MAX_POINTS = 400;

/** Lines that may have all those points; of more, each has half as many. */
const FULL_LINES = 16;

/** Points a line of a series has at most. A chart's time grows with its lines times their points. */
const pointsOf = ({ slots, spread }: FitnessSeries): number =>
  spread === null && slots.length > FULL_LINES ? MAX_POINTS / 2 : MAX_POINTS;

/** Has no values. */
const NONE = new NumberColumn();

const orNull = (value: number): number | null => (Number.isFinite(value) ? value : null);

/** Indices of the smallest and the largest value in [from, to), in order of occurrence; -1 where there is none. */
function extremes(column: NumberColumn, from: number, to: number): readonly [number, number] {
  let low = -1;
  let high = -1;
  for (let index = from; index < to; index += 1) {
    const value = column.at(index);
    if (!Number.isFinite(value)) continue;
    if (low < 0 || value < column.at(low)) low = index;
    if (high < 0 || value > column.at(high)) high = index;
  }
  return low < high ? [low, high] : [high, low];
}

function band(series: FitnessSeries, index: number): readonly [number, number] | null {
  const mean = series.mean.at(index);
  const deviation = series.deviation.at(index);
  return Number.isFinite(mean) ? [mean - deviation, mean + deviation] : null;
}

/** What a row says of the population as a whole. */
const summary = (series: FitnessSeries, index: number) => ({
  best: orNull(series.best.at(index)),
  mean: orNull(series.mean.at(index)),
  band: band(series, index),
  spread: series.spread?.at(index) ?? null,
});

/**
 * The rows that a chart draws, at most {@link MAX_POINTS}, of generations that were evaluated. A longer series is cut into buckets of which each line
 * keeps its lowest and highest value, so that no peak is lost; lines of averages and of agents keep a bucket's last value.
 * @param selected Slot whose agents have lines of their own, where members are several agents; none unless given.
 */
export function chartRows(
  series: FitnessSeries,
  axis: ChartAxis,
  { selected = null, maxPoints = pointsOf(series) }: { selected?: number | null; maxPoints?: number } = {},
): ChartRow[] {
  const x = series.axis(axis);
  const { evaluated } = series;
  const { length } = evaluated;
  const elites = series.spread?.elite ?? NONE;
  if (length <= maxPoints) {
    return Array.from(evaluated.values(), (index) => ({
      x: x.at(index),
      slots: series.slots.map((column) => orNull(column.at(index))),
      ...summary(series, index),
      elite: orNull(elites.at(index)),
      ...ofAgents(series, selected, index),
    }));
  }
  const buckets = Math.floor(maxPoints / 2);
  const rows: ChartRow[] = [];
  for (let bucket = 0; bucket < buckets; bucket += 1) {
    const first = evaluated.at(Math.floor((bucket * length) / buckets));
    const last = evaluated.at(Math.floor(((bucket + 1) * length) / buckets) - 1);
    const pairs = series.slots.map((column) => extremes(column, first, last + 1));
    const elite = extremes(elites, first, last + 1);
    for (const [side, index] of [first, last].entries()) {
      rows.push({
        x: x.at(index),
        slots: pairs.map((pair, slot) => orNull(series.slots[slot]?.at(pair[side] ?? -1) ?? Number.NaN)),
        ...summary(series, index),
        elite: orNull(elites.at(elite[side] ?? -1)),
        ...ofAgents(series, selected, index),
      });
    }
  }
  return rows;
}
