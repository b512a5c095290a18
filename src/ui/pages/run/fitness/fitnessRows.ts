import { quartiles } from "../../../../tracking/history.ts";
import type { HistoryColumns } from "../../../../workers/protocol.ts";
import type { ChartAxis } from "../../../routes/route.ts";

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

/** By row of the history, the cell of an agent or of its ancestor; -1 if there is none. */
type Path = ArrayLike<number>;

/** Positions of all generations on a horizontal axis: steps of the population, generations, or seconds of training. */
export function positionsOf(
  { generation, global_step, seconds }: Pick<HistoryColumns, "generation" | "global_step" | "seconds">,
  axis: ChartAxis,
): Float64Array {
  if (axis === "steps") return global_step;
  if (axis === "generation") return generation;
  let sum = 0;
  return seconds.map((value) => {
    sum += Number.isFinite(value) ? value : 0;
    return sum;
  });
}

const valueAt = (values: Float64Array, path: Path | null, row: number): number | null => {
  const cell = path?.[row] ?? -1;
  const value = cell < 0 ? Number.NaN : (values[cell] ?? Number.NaN);
  return Number.isFinite(value) ? value : null;
};

/**
 * The generations in which any member has a fitness: language models are not evaluated in every generation.
 *
 * @param shown fitnesses as drawn, possibly smoothed along descent, [generations, population]
 * @param weight of earlier generations in the drawn median; 0 for no smoothing
 */
export function fitnessRows(
  columns: HistoryColumns,
  axis: ChartAxis,
  {
    elite,
    selected,
    shown,
    weight,
  }: { elite: Path; selected: Path | null; shown: Float64Array; weight: number },
): FitnessRow[] {
  const { generations, population, fitness } = columns;
  const ofAgents = Object.values(columns.agent_fitness);
  const positions = positionsOf(columns, axis);
  const rows: FitnessRow[] = [];
  let best = Number.NEGATIVE_INFINITY;
  let mean: number | null = null;
  for (let row = 0; row < generations; row += 1) {
    const members = fitness.subarray(row * population, (row + 1) * population);
    const { min, q1, median, q3, max } = quartiles(members);
    if (!Number.isFinite(median)) continue;
    best = Math.max(best, max);
    mean = mean === null ? median : weight * mean + (1 - weight) * median;
    const raw = { median, elite: valueAt(fitness, elite, row), selected: valueAt(fitness, selected, row) };
    rows.push({
      x: positions[row] ?? Number.NaN,
      row,
      best,
      range: [min, max],
      middle: [q1, q3],
      median: mean,
      elite: valueAt(shown, elite, row),
      selected: valueAt(shown, selected, row),
      raw: weight > 0 ? raw : null,
      agents: ofAgents.map((values) => valueAt(values, selected ?? elite, row)),
    });
  }
  return rows;
}
