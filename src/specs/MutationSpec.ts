import { z } from "zod";
import { type Prepared, withAliases } from "./aliases.ts";
import { atLeast, field, fraction, integer, mapping } from "./field.ts";
import { isMapping } from "./plain.ts";

const weight = (value: number, description: string) =>
  field(fraction().default(value), description, { step: 0.05 });

/**
 * Relative weights of the mutation kinds; they need not add up to 1. One kind is drawn per agent and
 * generation, except `new_layer`, which is drawn inside an architecture mutation.
 */
export const MutationProbabilities = z.strictObject({
  no_mut: weight(0.4, "Weight of leaving an agent as it is."),
  arch_mut: weight(0.2, "Weight of changing the network's architecture."),
  new_layer: weight(0.2, "Within an architecture mutation: chance of changing layers, not widths."),
  params_mut: weight(0.2, "Weight of adding noise to the policy's weights."),
  act_mut: weight(0.0, "Weight of changing the activation function."),
  rl_hp_mut: weight(0.2, "Weight of changing one hyperparameter of rl_hp_selection."),
});
export type MutationProbabilities = z.output<typeof MutationProbabilities>;

/** How values between `min` and `max` are spread: evenly, by order of magnitude, or by that of 1 - value. */
export const HYPERPARAMETER_SCALES = ["linear", "log", "one_minus"] as const;
export type HyperparameterScale = (typeof HYPERPARAMETER_SCALES)[number];

const own = { rlkit_only: true };

/** A value of a list of choices. */
export type HyperparameterChoice = number | string | boolean;

/** Whether choices are categories, which have no order: they are not all numbers. */
export const areCategories = (choices: readonly HyperparameterChoice[] | null): boolean =>
  choices?.some((choice) => typeof choice !== "number") ?? false;

/** Whether first values are drawn on a scale, which is logarithmic where none is set. */
export const isLogarithmic = (initial: string | undefined): boolean => initial?.startsWith("log_") ?? false;

const rangeFields = z
  .strictObject({
    min: field(z.number(), "Lowest value a mutation may reach."),
    max: field(z.number(), "Highest value a mutation may reach."),
    grow_factor: field(atLeast(1).default(1.2), "Factor of a mutation upwards."),
    shrink_factor: field(fraction().default(0.8), "Factor of a mutation downwards."),
    initial: field(
      z.enum(["value", "uniform", "log_uniform", "log_normal"]).default("value"),
      "Where agents start: at the given value, or each at a value drawn from the range. log_normal draws around the given value, within a factor of 3 in two of three agents; a quarter of the agents draw log_uniform all the same. The first agent always keeps the given value.",

      own,
    ),
    scale: field(
      z.enum(HYPERPARAMETER_SCALES).default("linear"),
      "What truncation selection multiplies: the value, or with one_minus its distance from 1. log_uniform draws evenly on this scale. Drawn integers are rounded, each from half below it to half above.",
      own,
    ),
    choices: field(
      z
        .array(z.union([z.number(), z.string(), z.boolean()]))
        .min(2)
        .nullable()
        .default(null),
      "Values in place of min and max: numbers (whole ones for an integer), names, or true and false. A mutation moves to a neighbouring number, or to any other name.",
      own,
    ),
  })
  .superRefine(({ min, max, initial, scale, choices }, context) => {
    const refuse = (key: string, message: string): void =>
      context.addIssue({ code: "custom", path: [key], message });
    if (areCategories(choices)) {
      if (choices?.some((choice) => typeof choice === "number"))
        refuse("choices", `found ${choices.join(", ")}; must be all numbers, or none`);
      if (scale !== "linear") refuse("scale", `found "${scale}"; must be linear: names have no scale`);
      if (isLogarithmic(initial))
        refuse("initial", `found "${initial}"; must be value or uniform: names have no scale`);
      return;
    }
    if (min > max) refuse("min", `found ${min}; must be at most max (${max})`);
    const logarithmic = scale === "log" || (isLogarithmic(initial) && scale === "linear");
    if (logarithmic && min <= 0) refuse("min", `found ${min}; must be above 0 on a logarithmic scale`);
    if (scale === "one_minus" && max >= 1)
      refuse("max", `found ${max}; must be below 1 on the scale one_minus`);
  });

/**
 * Bounds of a list of choices, sorted, which are written in place of a range; of categories, the first and last
 * of their positions.
 */
function withBounds(raw: unknown): unknown {
  if (!isMapping(raw) || !Array.isArray(raw.choices)) return raw;
  const choices: number[] = raw.choices.filter((choice) => typeof choice === "number");
  if (choices.length !== raw.choices.length || choices.length === 0) {
    // Of true and false, the positions are those of numbers.
    const names: unknown[] = [...new Set<unknown>(raw.choices)].sort(
      (a, b) => Number(a === true) - Number(b === true),
    );
    return { min: 0, max: names.length - 1, ...raw, choices: names };
  }
  const sorted = [...new Set(choices)].sort((a, b) => a - b);
  return { min: sorted[0], max: sorted.at(-1), ...raw, choices: sorted };
}

// Annotated, so that declarations do not repeat the fields.
const madeRange: Prepared<typeof rangeFields> = withAliases(rangeFields, {}, withBounds);
type RangeMade = typeof madeRange;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface RLHyperparameterSchema extends RangeMade {}

/** The range of one hyperparameter, and how values are drawn from it and moved in it. */
export const RLHyperparameter: RLHyperparameterSchema = madeRange;
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
    "Hyperparameters that may mutate, each with its range. If empty, those of the algorithm.",
  ),
  mutate_elite: field(
    z.boolean().default(true),
    "Whether the fittest agent mutates too, which selection keeps in the first slot.",
    own,
  ),
  mutation_sd: field(atLeast(0).default(0.1), "Standard deviation of the noise on mutated weights."),
  rand_seed: field(
    integer(0).default(42),
    "The same as training.seed, which it must equal if both are given.",
  ),
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
