import { mean } from "../../../../evolution/members.ts";
import { thinned } from "../../../../tracking/history.ts";
import type { HistoryColumns } from "../../../../workers/protocol.ts";
import { extent, type Range, type TunedHyperparameter } from "../../../series/hyperparameterRanges.ts";
import type { Rows } from "./forest.ts";

/** Fewest rows that importance is told of. */
export const LEAST_ROWS = 40;

/** Most rows that a forest is grown from. */
const MOST_ROWS = 2000;

/** A hyperparameter as an input of a forest. */
export interface Input {
  readonly name: string;
  /** Values that members had. */
  readonly seen: Range;
  readonly log: boolean;
}

export interface ImportanceRows extends Rows {
  readonly names: readonly Input[];
}

/** The value at a position of an input between 0 and 1. */
export const valueOn = ({ seen: { min, max }, log }: Input, position: number): number =>
  log ? min * (max / min) ** position : min + (max - min) * position;

const positionOn = ({ seen: { min, max }, log }: Input, value: number): number =>
  log ? Math.log(value / min) / Math.log(max / min) : (value - min) / (max - min);

/**
 * The different hyperparameters of members with a fitness, up to a row, and the mean rank of those members in their
 * generations, 0 for the worst and 1 for the best. Ranks leave out how far the run has come.
 * @returns null if no hyperparameter differs, or no generation has two members with a fitness.
 */
export function importanceRows(
  columns: Pick<HistoryColumns, "population" | "fitness" | "hyperparameters">,
  row: number,
  tuned: readonly TunedHyperparameter[],
): ImportanceRows | null {
  const { population, fitness, hyperparameters } = columns;
  const end = (row + 1) * population;
  const names = tuned.flatMap(({ name, log }): Input[] => {
    const seen = extent((hyperparameters[name] ?? new Float64Array()).subarray(0, end));
    return seen === null || seen.min === seen.max ? [] : [{ name, seen, log: log && seen.min > 0 }];
  });
  /** By the values of the hyperparameters: members that keep them count once. */
  const ranked = new Map<string, { readonly cell: number; readonly ranks: number[] }>();
  for (let start = 0; start < end; start += population) {
    const cells = Array.from({ length: population }, (_, slot) => start + slot)
      .filter((cell) => Number.isFinite(fitness[cell]))
      .filter((cell) => names.every(({ name }) => Number.isFinite(hyperparameters[name]?.[cell])));
    if (cells.length < 2) continue;
    for (const cell of cells) {
      const own = fitness[cell] ?? 0;
      const below = cells.filter((other) => (fitness[other] ?? 0) < own).length;
      const equal = cells.filter((other) => fitness[other] === own).length - 1;
      const rank = (below + equal / 2) / (cells.length - 1);
      const values = names.map(({ name }) => hyperparameters[name]?.[cell]).join();
      const ranks = ranked.get(values)?.ranks ?? [];
      ranks.push(rank);
      ranked.set(values, { cell, ranks });
    }
  }
  if (names.length === 0 || ranked.size === 0) return null;
  const taken = thinned([...ranked.values()], MOST_ROWS);
  return {
    names,
    inputs: names.map((input) =>
      Float64Array.from(taken, ({ cell }) => positionOn(input, hyperparameters[input.name]?.[cell] ?? 0)),
    ),
    outputs: Float64Array.from(taken, ({ ranks }) => mean(ranks)),
  };
}
