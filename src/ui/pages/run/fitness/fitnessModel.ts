import { quantile, quartiles } from "../../../../tracking/history.ts";
import { formatScore } from "../../../lib/format.ts";
import { lineOfDescent, valueAt } from "../../../series/historyCells.ts";
import { ticksAround } from "../../../series/scales.ts";
import { type Descendants, isCrowded } from "../charts/descentModel.ts";

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

/** One evaluated generation in the fitness chart. */
export interface FitnessRow {
  /** The generation's row in the history. */
  readonly row: number;
  readonly median: number;
  /** Fitness of the elite or of its ancestor; null for none. */
  readonly elite: number | null;
  /** Best fitness of any member so far. */
  readonly best: number;
  /** Lowest and highest fitness of the population. */
  readonly range: readonly [number, number];
  /** First and third quartile. */
  readonly middle: readonly [number, number];
}

/** The generations in which any member has a fitness: language models are not evaluated in every generation. */
function fitnessRows({ columns, fate: { elite } }: Descendants): FitnessRow[] {
  const { generations, population, fitness } = columns;
  const rows: FitnessRow[] = [];
  let best = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < generations; row += 1) {
    const { min, q1, median, q3, max } = quartiles(
      fitness.subarray(row * population, (row + 1) * population),
    );
    if (!Number.isFinite(median)) continue;
    best = Math.max(best, max);
    rows.push({
      row,
      best,
      range: [min, max],
      middle: [q1, q3],
      median,
      elite: valueAt(fitness, elite[row]),
    });
  }
  return rows;
}

/** The numbers of the fitness chart and of its table. */
export interface FitnessModel {
  readonly all: Descendants;
  readonly rows: readonly FitnessRow[];
  readonly domain: FitnessDomain;
  readonly target: number | null;
  /** The generation in which the best fitness reached the target; null for none. */
  readonly reached: FitnessRow | null;
  /** Ids of the agents in each member; empty if members are single agents. */
  readonly agents: readonly string[];
}

/**
 * @param target Fitness at which the run ends; null for none.
 * @param training Returns of episodes of training, for which the axis has room.
 */
export function fitnessModel(
  all: Descendants,
  target: number | null,
  training: Iterable<number> = [],
): FitnessModel {
  const { columns, fate, selected } = all;
  const rows = fitnessRows(all);
  const ofAgents = Object.values(columns.agent_fitness).flatMap((values) =>
    lineOfDescent(values, selected ?? fate.elite).flatMap((value) => value ?? []),
  );
  return {
    all,
    rows,
    domain: fitnessDomain([...columns.fitness, ...ofAgents, ...training], target === null ? [] : [target]),
    target,
    reached: (target !== null && rows.find(({ best }) => best >= target)) || null,
    agents: Object.keys(columns.agent_fitness),
  };
}

/** A text description of the chart. */
export function fitnessSummary({ rows, all, target, reached, domain }: FitnessModel): string {
  const last = rows.at(-1);
  if (last === undefined) return "";
  const { population, generation } = all.columns;
  const what = isCrowded(all.columns)
    ? `Chart of the fitness distribution of ${population} members.`
    : `Line chart that connects each of ${population} members to its parent.`;
  const cut = domain.above + domain.below;
  return [
    what,
    `After generation ${generation[last.row]} the median is ${formatScore(last.median)},`,
    target === null
      ? `and the best fitness so far is ${formatScore(last.best)}.`
      : `the best fitness so far is ${formatScore(last.best)}, and the target is ${formatScore(target)}.`,
    ...(reached === null ? [] : [`It was reached in generation ${generation[reached.row]}.`]),
    ...(cut > 0 ? [`${cut} ${cut === 1 ? "value lies" : "values lie"} beyond the axis.`] : []),
  ].join(" ");
}
