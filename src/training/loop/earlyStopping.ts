/** Whether a run has stopped improving: the rule of transformers' `EarlyStoppingCallback`, for a population. */
import { z } from "zod";
import type { EarlyStopping } from "./LoopPlan.ts";

export const plateauSchema = z.object({
  best: z.number(),
  evaluations: z.int().nonnegative(),
});
/** The best fitness that counts, and how many evaluations had none better since. */
export type Plateau = Readonly<z.output<typeof plateauSchema>>;

/**
 * @param before Undefined before the first evaluation.
 * @param fitness The best of an evaluation of the population.
 * @internal
 */
export function plateauAfter(
  before: Plateau | undefined,
  fitness: number,
  { threshold }: EarlyStopping,
): Plateau | undefined {
  if (before === undefined) return Number.isFinite(fitness) ? { best: fitness, evaluations: 0 } : undefined;
  if (fitness > before.best + threshold) return { best: fitness, evaluations: 0 };
  return { ...before, evaluations: before.evaluations + 1 };
}

/** @internal */
export const isOver = (plateau: Plateau | undefined, rule: EarlyStopping | null | undefined): boolean =>
  plateau !== undefined && !!rule && plateau.evaluations >= rule.patience;
