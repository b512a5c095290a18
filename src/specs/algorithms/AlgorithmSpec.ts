import { z } from "zod";
import { field, hpoRangeOf, integer } from "../field.ts";

/**
 * Fields of every algorithm spec.
 *
 * @example
 * ```ts
 * console.log(AlgorithmSpec.parse({}).batch_size); // 64
 * ```
 */
export const AlgorithmSpec = z.strictObject({
  batch_size: field(integer(1).default(64), "Samples in one learning step.", {
    unit: "samples",
    hpo: hpoRangeOf(8, 512),
  }),
});
export type AlgorithmSpec = z.output<typeof AlgorithmSpec>;
