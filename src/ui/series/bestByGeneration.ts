import type { FitnessColumns } from "../../tracking/clients.ts";
import { quartiles } from "../../tracking/history.ts";

/** The best fitness of each generation; NaN without one. */
export const bestByGeneration = ({
  generations,
  population,
  fitness,
}: Pick<FitnessColumns, "generations" | "population" | "fitness">): Float64Array =>
  Float64Array.from(
    { length: generations },
    (_, row) => quartiles(fitness.subarray(row * population, (row + 1) * population)).max,
  );
