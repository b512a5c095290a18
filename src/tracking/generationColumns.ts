/** What is kept of every generation, however many there are: numbers, and none of its tables. */
import type { GenerationReport } from "./observer.ts";

/** What charts show of one generation. */
export type GenerationRow = Pick<GenerationReport, "generation" | "global_step" | "seconds" | "fitnesses">;

/** The same of all generations of a run, in order. */
export interface GenerationColumns {
  /** Members of the population; 0 before the first generation. */
  readonly population: number;
  readonly generation: Float64Array;
  readonly global_step: Float64Array;
  /** Wall seconds of each generation. */
  readonly seconds: Float64Array;
  /** [generations, population]. */
  readonly fitnesses: Float64Array;
}

/** The rows of columns, in order. */
export function* generationRows(columns: GenerationColumns): Generator<GenerationRow> {
  const { population, generation, global_step, seconds, fitnesses } = columns;
  for (const [index, number] of generation.entries()) {
    yield {
      generation: number,
      global_step: global_step[index] ?? Number.NaN,
      seconds: seconds[index] ?? Number.NaN,
      fitnesses: [...fitnesses.subarray(index * population, (index + 1) * population)],
    };
  }
}
