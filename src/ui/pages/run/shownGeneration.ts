import type { FitnessColumns } from "../../../tracking/clients.ts";
import { shownRow } from "../../series/historyCells.ts";

/** The generation that the views of a run show. */
export interface ShownGeneration {
  /** Row among the completed generations; -1 before the first. */
  readonly row: number;
  /** Generation number; 0 before the first. */
  readonly generation: number;
  /** Row of the newest generation. */
  readonly newest: number;
  /** Whether the views follow the newest generation. */
  readonly live: boolean;
}

/** @param wanted the route's generation; null or an unknown one selects the newest */
export function shownGeneration(columns: FitnessColumns, wanted: number | null): ShownGeneration {
  const row = shownRow(columns, wanted);
  const generation = columns.generation[row] ?? 0;
  return { row, generation, newest: columns.generations - 1, live: generation !== wanted || row < 0 };
}
