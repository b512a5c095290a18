/** Fields of an environment that change what agents observe and learn from; what they are ranked by stays as it is. */
import { z } from "zod";
import { atLeast, count, field, real } from "./field.ts";

const own = { advanced: true, rlkit_only: true };
/** Most observations in a stack. */
const MOST_FRAMES = 256;
/** A number that is not 0 in f32, in which agents compute. */
const nonZero = (schema: z.ZodNumber) =>
  schema.refine((value) => Math.fround(value) !== 0, {
    error: ({ input }) => `found ${input}; must not be 0, nor round to 0 in f32`,
  });
const positive = () => nonZero(atLeast(0).gt(0));

const madeNormalizeSpec = z.strictObject({
  observations: field(
    z.boolean().default(false),
    "Centres each number of an observation and divides it by its running deviation. Choices, bits, bytes and images stay as they are.",
  ),
  rewards: field(
    z.boolean().default(false),
    "Divides the rewards that agents learn from by the running deviation of the discounted return. Fitness stays in true rewards.",
  ),
  clip_observations: field(positive().default(10), "Largest absolute value of a normalised observation."),
  clip_rewards: field(positive().default(10), "Largest absolute value of a normalised reward."),
  epsilon: field(positive().default(1e-8), "Added to variances before they divide."),
});
type NormalizeSpecMade = typeof madeNormalizeSpec;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface NormalizeSpecSchema extends NormalizeSpecMade {}

/** Normalisation by running statistics, which belong to each agent. */
export const NormalizeSpec: NormalizeSpecSchema = madeNormalizeSpec;
export type NormalizeSpec = z.output<typeof NormalizeSpec>;

const ordered = z.tuple([real(), real()]).refine(([low, high]) => Math.fround(low) < Math.fround(high), {
  message: "the first number must be less than the second",
});

/** The fields, for sections of environments. @internal */
export const shapingShape = {
  normalize: field(
    NormalizeSpec.nullable().default(null),
    "Normalisation of observations and rewards by running statistics. If unset, none.",
    own,
  ),
  reward_scale: field(
    nonZero(real()).default(1),
    "Factor on the rewards that agents learn from; not 0.",
    own,
  ),
  reward_clip: field(
    z.union([positive(), ordered]).nullable().default(null),
    "Range that rewards are cut to after reward_scale: a limit for both signs, or [low, high].",
    own,
  ),
  frame_stack: field(
    count(1).max(MOST_FRAMES).default(1),
    "Latest observations that an agent observes together. The first one of an episode fills the stack. Images are stacked as channels.",
    { ...own, unit: "observations" },
  ),
  max_episode_steps: field(
    count(1).nullable().default(null),
    "Steps after which an episode is truncated. If unset, the limit of env_config or the environment.",
    { ...own, unit: "steps" },
  ),
};

const madeShapingSpec = z.strictObject(shapingShape);
type ShapingSpecMade = typeof madeShapingSpec;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface ShapingSpecSchema extends ShapingSpecMade {}

/** The same fields alone. */
export const ShapingSpec: ShapingSpecSchema = madeShapingSpec;
export type ShapingSpec = z.output<typeof ShapingSpec>;
