/** Fields that the evolution strategies of policies and of language models share, and a check of them. */
import { z } from "zod";
import { FITNESS_SHAPING } from "../kernels/functions.ts";
import { noiseSchedule } from "../specs/algorithms.ts";
import { field, integer } from "../specs/checks.ts";

/** @param most Most copies. */
export const copiesField = (value: number, most = Number.MAX_SAFE_INTEGER) =>
  field(
    integer(2).max(most).default(value),
    "Perturbed copies of the policy in each iteration; an even number if they are antithetic.",
    { unit: "copies", mutable: false },
  );

export const strategyShape = {
  ...noiseSchedule,
  antithetic: field(
    z.boolean().default(true),
    "Takes each direction of noise forwards and backwards, in a pair of copies.",
    { advanced: true },
  ),
  fitness_shaping: field(
    z.enum(FITNESS_SHAPING).default("centered_ranks"),
    "How returns become utilities: their ranks from -0.5 to 0.5, or returns with mean 0 and deviation 1.",
    { advanced: true },
  ),
  optimizer: field(z.enum(["adam", "sgd"]).default("adam"), "What applies the estimated gradient.", {
    advanced: true,
  }),
};

/** Adds an issue for a copy without its pair. */
export function checkPairs(
  { antithetic, perturbations }: { readonly antithetic: boolean; readonly perturbations: number },
  context: z.core.$RefinementCtx,
): void {
  if (!antithetic || perturbations % 2 === 0) return;
  const message = `found ${perturbations}; antithetic copies come in pairs: give an even number, or antithetic: false`;
  context.addIssue({ code: "custom", path: ["perturbations"], message });
}

/** Five numbers of the copies' returns, from the lowest to the highest. */
export const RETURN_SPREAD = [
  "return_worst",
  "return_q1",
  "return_median",
  "return_q3",
  "return_best",
] as const;

/** Metrics of an iteration of any evolution strategy. */
export const STRATEGY_METRICS = [
  "return_mean",
  "return_std",
  ...RETURN_SPREAD,
  "gradient_norm",
  "noise_share",
  "left_out",
] as const;
