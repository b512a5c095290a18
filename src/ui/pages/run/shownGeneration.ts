import type { FitnessSeries } from "../../series/FitnessSeries.ts";

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
export function shownGeneration(series: FitnessSeries, wanted: number | null): ShownGeneration {
  const generations = series.axis("generation");
  const newest = series.length - 1;
  const found = wanted === null ? -1 : generations.indexOf(wanted);
  const row = found < 0 ? newest : found;
  return { row, generation: row < 0 ? 0 : generations.at(row), newest, live: found < 0 };
}
