import { z } from "zod";
import { atLeast, field, fraction, integer, mapping } from "./field.ts";

const weight = (value: number, description: string) =>
  field(fraction().default(value), description, { step: 0.05 });

/**
 * Relative weights of the mutation kinds; they need not add up to 1. One kind is drawn per agent and
 * generation, except `new_layer`, which is drawn inside an architecture mutation.
 */
export const MutationProbabilities = z.strictObject({
  no_mut: weight(0.4, "Weight of leaving an agent as it is."),
  arch_mut: weight(0.2, "Weight of changing the network's architecture."),
  new_layer: weight(
    0.2,
    "Within an architecture mutation, the chance of changing layers rather than widths.",
  ),
  params_mut: weight(0.2, "Weight of adding noise to the policy's weights."),
  act_mut: weight(0.0, "Weight of changing the activation function."),
  rl_hp_mut: weight(0.2, "Weight of changing one hyperparameter of rl_hp_selection."),
});
export type MutationProbabilities = z.output<typeof MutationProbabilities>;

/** The range of one hyperparameter and the factors of one mutation step. */
export const RLHyperparameter = z
  .strictObject({
    min: field(z.number(), "Lowest value a mutation may reach."),
    max: field(z.number(), "Highest value a mutation may reach."),
    grow_factor: field(atLeast(1).default(1.2), "Factor of a mutation upwards."),
    shrink_factor: field(fraction().default(0.8), "Factor of a mutation downwards."),
  })
  .superRefine(({ min, max }, context) => {
    if (min > max) {
      context.addIssue({
        code: "custom",
        path: ["min"],
        message: `found ${min}; must be at most max (${max})`,
      });
    }
  });
export type RLHyperparameter = z.output<typeof RLHyperparameter>;

/** Bounds on network sizes that mutation respects; in a manifest they are folded into `network`. */
export const NetworkMutationRanges = z.strictObject({
  min_latent_dim: field(z.int().positive().nullable().default(null), "Smallest latent width."),
  max_latent_dim: field(z.int().gt(1).nullable().default(null), "Largest latent width."),
  encoder: field(mapping().default({}), "Bounds for the encoder, under the names of network.encoder_config."),
  head_net: field(mapping().default({}), "Bounds for the head, under the names of network.head_config."),
});
export type NetworkMutationRanges = z.output<typeof NetworkMutationRanges>;

const madeMutationSpec = z.strictObject({
  name: field(z.string().nullable().default(null), "A label; it has no effect."),
  probabilities: field(MutationProbabilities.prefault({}), "Weights of the kinds of mutation."),
  rl_hp_selection: field(
    z.record(z.string(), RLHyperparameter).default({}),
    "Hyperparameters that may mutate, each with its range. Empty, the algorithm's own set is used.",
  ),
  mutation_sd: field(atLeast(0).default(0.1), "Standard deviation of the noise of a weight mutation."),
  rand_seed: field(integer(0).default(42), "Seed of the run, unless one is given when training starts."),
  network: field(NetworkMutationRanges.nullable().default(null), "Bounds on network sizes.", {
    advanced: true,
  }),
  dormant_threshold: field(atLeast(0).default(0.01), "Activity below which a neuron counts as dormant.", {
    advanced: true,
    effect: false,
  }),
});
type MutationSpecMade = typeof madeMutationSpec;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface MutationSpecSchema extends MutationSpecMade {}

/**
 * How agents are mutated between generations.
 *
 * @example
 * ```ts
 * const mutation = MutationSpec.parse({ rl_hp_selection: { lr: { min: 1e-4, max: 1e-2 } } });
 * ```
 */
export const MutationSpec: MutationSpecSchema = madeMutationSpec;
export type MutationSpec = z.output<typeof MutationSpec>;
export type MutationSpecInput = z.input<typeof MutationSpec>;

/** The probabilities of a manifest whose mutation section is present but empty: nothing mutates. */
export const NO_MUTATION: MutationProbabilities = {
  no_mut: 1,
  arch_mut: 0,
  new_layer: 0,
  params_mut: 0,
  act_mut: 0,
  rl_hp_mut: 0,
};
