import { quantile, quartiles } from "../../../../tracking/history.ts";
import { formatScore } from "../../../lib/format.ts";
import type { ChartAxis } from "../../../routes/route.ts";
import { positionsOf, valueAt } from "../../../series/historyCells.ts";
import { ticksAround } from "../../../series/scales.ts";
import { type Descendants, isCrowded } from "../charts/descentModel.ts";
import type { LineageGraph } from "../descent/LineageGraph.ts";

/** The range of the vertical axis, and how many values lie beyond it. */
export interface FitnessDomain {
  /** Round values; the first and the last are the ends of the axis. */
  readonly ticks: readonly number[];
  /** Numbers of values that lie above and below the axis. */
  readonly above: number;
  readonly below: number;
}

const LOW = 0.02;
const HIGH = 0.98;
/**
 * The axis is cut at an end only if that shortens it by at least this share, so that only outliers are cut
 * off.
 */
const WORTH = 0.2;

/**
 * The vertical axis from the 2nd to the 98th percentile, or over the full range at an end without outliers.
 *
 * @param values in any order; values that are not finite are left out
 * @param always values that the axis always includes
 */
export function fitnessDomain(values: Iterable<number>, always: readonly number[] = []): FitnessDomain {
  const sorted = Float64Array.from([...values].filter(Number.isFinite)).sort();
  const [least, most] = [sorted[0] ?? 0, sorted.at(-1) ?? 1];
  const [low, high] = [quantile(sorted, LOW), quantile(sorted, HIGH)];
  const span = most - least;
  const cutLow = low - least > WORTH * span;
  const cutHigh = most - high > WORTH * span;
  const ticks = ticksAround(
    Math.min(cutLow ? low : least, ...always),
    Math.max(cutHigh ? high : most, ...always),
    5,
  );
  const [bottom, top] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  return {
    ticks,
    above: sorted.filter((value) => value > top).length,
    below: sorted.filter((value) => value < bottom).length,
  };
}

/** Values, smoothed if the user chose smoothing; null if there is none. */
export interface FitnessLines {
  readonly median: number | null;
  /** Fitness of the elite or of its ancestor. */
  readonly elite: number | null;
  /** Fitness of the selected member or of its ancestor; null if none is selected. */
  readonly selected: number | null;
}

/** One evaluated generation in the fitness chart. */
export interface FitnessRow extends FitnessLines {
  readonly x: number;
  /** The generation's row in the history. */
  readonly row: number;
  /** Best fitness of any member so far. */
  readonly best: number;
  /** Lowest and highest fitness of the population. */
  readonly range: readonly [number, number];
  /** First and third quartile. */
  readonly middle: readonly [number, number];
  /** The values before smoothing; null without smoothing. */
  readonly raw: FitnessLines | null;
  /**
   * Fitness of each agent of the selected member, or else of the elite; empty if members are single agents.
   */
  readonly agents: readonly (number | null)[];
}

/**
 * The generations in which any member has a fitness: language models are not evaluated in every generation.
 *
 * @param shown fitnesses as drawn, possibly smoothed along descent, [generations, population]
 * @param weight of earlier generations in the drawn median; 0 for no smoothing
 */
function fitnessRows(
  { columns, fate: { elite }, selected }: Descendants,
  positions: Float64Array,
  shown: Float64Array,
  weight: number,
): FitnessRow[] {
  const { generations, population, fitness } = columns;
  const ofAgents = Object.values(columns.agent_fitness);
  const rows: FitnessRow[] = [];
  let best = Number.NEGATIVE_INFINITY;
  let mean: number | null = null;
  for (let row = 0; row < generations; row += 1) {
    const members = fitness.subarray(row * population, (row + 1) * population);
    const { min, q1, median, q3, max } = quartiles(members);
    if (!Number.isFinite(median)) continue;
    best = Math.max(best, max);
    mean = mean === null ? median : weight * mean + (1 - weight) * median;
    const [eliteCell, selectedCell] = [elite[row], selected?.[row]];
    const raw = { median, elite: valueAt(fitness, eliteCell), selected: valueAt(fitness, selectedCell) };
    rows.push({
      x: positions[row] ?? Number.NaN,
      row,
      best,
      range: [min, max],
      middle: [q1, q3],
      median: mean,
      elite: valueAt(shown, eliteCell),
      selected: valueAt(shown, selectedCell),
      raw: weight > 0 ? raw : null,
      agents: ofAgents.map((values) => valueAt(values, (selected ?? elite)[row])),
    });
  }
  return rows;
}

/** Weight of earlier generations in the exponential mean; 0 for no smoothing. */
const SMOOTHINGS = { none: 0, some: 0.6, much: 0.9 } as const;

export type Smoothing = keyof typeof SMOOTHINGS;

/**
 * Exponential moving averages of values along descent: over an agent and its ancestors, not over a slot of
 * the population.
 *
 * @param values [generations, population]; values that are not finite stay gaps and are skipped
 * @param weight of earlier values, in [0, 1)
 */
export function smoothedByDescent(
  values: Float64Array,
  graph: Pick<LineageGraph, "before">,
  weight: number,
): Float64Array {
  // The mean up to each cell, including cells without a value.
  const means = new Float64Array(values.length);
  return values.map((value, cell) => {
    const before = graph.before(cell);
    const past = before < 0 ? Number.NaN : (means[before] ?? Number.NaN);
    const known = Number.isFinite(value);
    const mean = known && Number.isFinite(past) ? weight * past + (1 - weight) * value : known ? value : past;
    means[cell] = mean;
    return known ? mean : Number.NaN;
  });
}

/** Everything that the fitness chart draws. */
export interface FitnessModel {
  readonly all: Descendants;
  readonly axis: ChartAxis;
  readonly rows: readonly FitnessRow[];
  /** Horizontal positions by row of the history. */
  readonly positions: Float64Array;
  /** Fitnesses as drawn, [generations, population]. */
  readonly shown: Float64Array;
  readonly smooth: boolean;
  /** Whether the spread is drawn instead of one line per member. */
  readonly crowded: boolean;
  readonly domain: FitnessDomain;
  readonly target: number | null;
  /** Ids of the agents in each member; empty if members are single agents. */
  readonly agents: readonly string[];
}

interface Choices {
  readonly axis: ChartAxis;
  readonly smoothing: Smoothing;
  /** Fitness at which the run ends; null for none. */
  readonly target: number | null;
}

/** Builds the model of the fitness chart. */
export function fitnessModel(all: Descendants, { axis, smoothing, target }: Choices): FitnessModel {
  const { columns, graph } = all;
  const weight = SMOOTHINGS[smoothing];
  const shown = weight > 0 ? smoothedByDescent(columns.fitness, graph, weight) : columns.fitness;
  const positions = positionsOf(columns, axis);
  const rows = fitnessRows(all, positions, shown, weight);
  const ofAgents = rows.flatMap((row) => row.agents.flatMap((value) => value ?? []));
  return {
    all,
    axis,
    rows,
    positions,
    shown,
    smooth: weight > 0,
    crowded: isCrowded(columns),
    domain: fitnessDomain([...columns.fitness, ...ofAgents], target === null ? [] : [target]),
    target,
    agents: Object.keys(columns.agent_fitness),
  };
}

/** A text description of the chart. */
export function fitnessSummary({ rows, all, crowded, target, domain }: FitnessModel): string {
  const last = rows.at(-1);
  if (last === undefined) return "";
  const { population, generation } = all.columns;
  const what = crowded
    ? `Chart of the fitness distribution of ${population} members.`
    : `Line chart that connects each of ${population} members to its parent.`;
  const cut = domain.above + domain.below;
  return [
    what,
    `After generation ${generation[last.row]} the median is ${formatScore(last.raw?.median ?? last.median)},`,
    target === null
      ? `and the best fitness so far is ${formatScore(last.best)}.`
      : `the best fitness so far is ${formatScore(last.best)}, and the target is ${formatScore(target)}.`,
    ...(cut > 0 ? [`${cut} ${cut === 1 ? "value lies" : "values lie"} beyond the axis.`] : []),
  ].join(" ");
}
