import type { FitnessSeries } from "../../series/FitnessSeries.ts";

/** The generation that the views of a run show. */
export interface ShownGeneration {
  /** Its place among those that ended; -1 before the first. */
  readonly row: number;
  /** Its number; 0 before the first. */
  readonly generation: number;
  /** Place of the newest. */
  readonly newest: number;
  /** Whether the views follow the newest. */
  readonly live: boolean;
}

/** @param wanted the generation of the address; null, or one that is not there, for the newest */
export function shownGeneration(series: FitnessSeries, wanted: number | null): ShownGeneration {
  const generations = series.axis("generation");
  const newest = series.length - 1;
  const found = wanted === null ? -1 : generations.indexOf(wanted);
  const row = found < 0 ? newest : found;
  return { row, generation: row < 0 ? 0 : generations.at(row), newest, live: found < 0 };
}
