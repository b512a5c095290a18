import { z } from "zod";
import { field, fraction, integer } from "./field.ts";

/** How a copy of a fit agent explores: fields that truncation and halving share. */
const exploration = {
  quantile: field(
    z.number().gt(0).max(0.5).default(0.25),
    "Share of the agents that are replaced, and share that is copied.",
    { step: 0.05 },
  ),
  resample: field(
    fraction().default(0.25),
    "Chance that a copy draws a hyperparameter anew from its range, instead of perturbing it.",
    { step: 0.05 },
  ),
  perturb: field(
    z.tuple([z.number().gt(0).max(1), z.number().min(1)]).default([0.8, 1.25]),
    "Factors down and up, one of which perturbs each hyperparameter of a copy.",
  ),
};

const name = field(z.string().nullable().default(null), "A label; it has no effect.");

const madeTruncationSelectionSpec = z.strictObject({
  strategy: field(z.literal("truncation"), "The worst agents become copies of the best, which explore."),
  name,
  ...exploration,
});
type TruncationSelectionSpecMade = typeof madeTruncationSelectionSpec;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface TruncationSelectionSpecSchema extends TruncationSelectionSpecMade {}

/**
 * Truncation selection: the worst agents are replaced by copies of the best. Each hyperparameter that may
 * mutate moves in every copy; all other agents continue untouched (Jaderberg et al. 2017).
 *
 * @example
 * ```ts
 * const selection_strategy = TruncationSelectionSpec.parse({ strategy: "truncation", quantile: 0.25 });
 * ```
 */
export const TruncationSelectionSpec: TruncationSelectionSpecSchema = madeTruncationSelectionSpec;
export type TruncationSelectionSpec = z.output<typeof TruncationSelectionSpec>;
export type TruncationSelectionSpecInput = z.input<typeof TruncationSelectionSpec>;

const madeHalvingSelectionSpec = z.strictObject({
  strategy: field(z.literal("halving"), "A race: the population shrinks, and the agents that lose rest."),
  name,
  factor: field(integer(2).default(2), "Each cut keeps one of this many agents."),
  rung: field(
    integer(1).nullable().default(null),
    "Generations between cuts (for bandits and language models, rounds of evo_steps). If unset, cuts are spread evenly over the run, or over its first half with followed_by.",
    { unit: "generations" },
  ),
  smallest: field(integer(1).default(1), "Agents that remain after the last cut.", { unit: "agents" }),
  followed_by: field(
    z.literal("truncation").nullable().default(null),
    "Selection among the remaining agents after the last cut. If unset, none.",
  ),
  ...exploration,
});
type HalvingSelectionSpecMade = typeof madeHalvingSelectionSpec;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface HalvingSelectionSpecSchema extends HalvingSelectionSpecMade {}

/**
 * Successive halving (Jamieson and Talwalkar 2016): the population shrinks by a factor at each cut, and the
 * agents that lose rest.
 *
 * @example
 * ```ts
 * const selection_strategy = HalvingSelectionSpec.parse({ strategy: "halving", smallest: 4, followed_by: "truncation" });
 * ```
 */
export const HalvingSelectionSpec: HalvingSelectionSpecSchema = madeHalvingSelectionSpec;
export type HalvingSelectionSpec = z.output<typeof HalvingSelectionSpec>;
export type HalvingSelectionSpecInput = z.input<typeof HalvingSelectionSpec>;

/**
 * No selection: all agents train to the end, each with its own hyperparameters. With initial values drawn from
 * ranges, this is random search.
 */
export const NoSelectionSpec = z.strictObject({
  strategy: field(z.literal("none"), "No selection and no mutation."),
  name,
});
export type NoSelectionSpec = z.output<typeof NoSelectionSpec>;

/** Sizes of a population from the start to its smallest, a factor apart; null if no number of cuts leads there. */
export function raceSizes(population: number, factor: number, smallest: number): readonly number[] | null {
  const sizes = [smallest];
  for (let size = smallest; size < population; ) sizes.unshift((size *= factor));
  return sizes[0] === population ? sizes : null;
}

/**
 * Whether a strategy needs no mutation section: it moves hyperparameters itself, or nothing is to change. The
 * AgileRL has none of these strategies.
 */
export const evolvesAlone = ({ strategy }: { readonly strategy: string }): boolean =>
  strategy === "truncation" || strategy === "halving" || strategy === "none";
