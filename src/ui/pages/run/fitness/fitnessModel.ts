import { quantile, quartiles } from "../../../../tracking/history.ts";
import type { FitnessWord } from "../../../games/fitnessWord.tsx";
import { formatScore, formatThings } from "../../../lib/format.ts";
import { lineOfDescent, valueAt } from "../../../series/historyCells.ts";
import { ticksAround } from "../../../series/scales.ts";
import { type Descendants, isCrowded } from "../charts/descentModel.ts";
import { type Beginning, dipText } from "./beginning.ts";

/** The range of the vertical axis, and how many training episodes lie beyond it. */
export interface FitnessDomain {
  /** Round values; the first and the last are the ends of the axis. */
  readonly ticks: readonly number[];
  /** Number of training episodes above and below the axis. */
  readonly cut: number;
}

const LOW = 0.02;
const HIGH = 0.98;
/** The axis cuts episodes at an end only if that shortens it by at least this share, so that only outliers are cut. */
const WORTH = 0.2;

/**
 * The vertical axis: over all of `always`, and from the 2nd to the 98th percentile of `training`, or to its end where
 * that has no outliers. Values that are not finite are left out.
 *
 * @param always evaluations and the target
 * @param training returns of training episodes
 */
export function fitnessDomain(always: Iterable<number>, training: Iterable<number> = []): FitnessDomain {
  const episodes = Float64Array.from([...training].filter(Number.isFinite)).sort();
  const { min, max } = quartiles(always);
  const ends = (first: number, last: number): readonly [number, number] => {
    const known = [min, max, quantile(episodes, first), quantile(episodes, last)].filter(Number.isFinite);
    return known.length === 0 ? [0, 1] : [Math.min(...known), Math.max(...known)];
  };
  const [least, most] = ends(0, 1);
  const [low, high] = ends(LOW, HIGH);
  const worth = WORTH * (most - least);
  const ticks = ticksAround(low - least > worth ? low : least, most - high > worth ? high : most, 5);
  const [bottom, top] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  return { ticks, cut: episodes.filter((value) => value < bottom || value > top).length };
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
  /** What fitness is called. */
  readonly word: FitnessWord;
  /** The agent that the run began with; null for new ones. */
  readonly beginning: Beginning | null;
}

/**
 * @param target Fitness at which the run ends; null for none.
 * @param training Returns of episodes of training, for most of which the axis has room.
 * @param word What fitness is called.
 * @param beginning The agent that the run began with; null for new ones.
 */
export function fitnessModel(
  all: Descendants,
  target: number | null,
  training: Iterable<number> = [],
  word: FitnessWord = "fitness",
  beginning: Beginning | null = null,
): FitnessModel {
  const { columns, fate, selected } = all;
  const rows = fitnessRows(all);
  const ofAgents = Object.values(columns.agent_fitness).flatMap((values) =>
    lineOfDescent(values, selected ?? fate.elite).flatMap((value) => value ?? []),
  );
  return {
    all,
    rows,
    domain: fitnessDomain(
      [...columns.fitness, ...ofAgents, target ?? Number.NaN, beginning?.fitness ?? Number.NaN],
      training,
    ),
    target,
    reached: (target !== null && rows.find(({ best }) => best >= target)) || null,
    agents: Object.keys(columns.agent_fitness),
    word,
    beginning,
  };
}

/** A text description of the chart. */
export function fitnessSummary(model: FitnessModel): string {
  const { rows, all, target, reached, domain, word, beginning } = model;
  const last = rows.at(-1);
  if (last === undefined) return "";
  const { population, generation } = all.columns;
  const what = isCrowded(all.columns)
    ? `Chart of the ${word} distribution of ${population} members.`
    : `Line chart that connects each of ${population} members to its parent.`;
  return [
    what,
    `After generation ${generation[last.row]} the median is ${formatScore(last.median)},`,
    target === null
      ? `and the best ${word} so far is ${formatScore(last.best)}.`
      : `the best ${word} so far is ${formatScore(last.best)}, and the target is ${formatScore(target)}.`,
    ...(reached === null ? [] : [`It was reached in generation ${generation[reached.row]}.`]),
    ...(beginning === null ? [] : [dipText(beginning, rows, generation)]),
    ...(domain.cut > 0 ? [`Beyond the axis: ${formatThings(domain.cut, "training episode")}.`] : []),
  ].join(" ");
}
