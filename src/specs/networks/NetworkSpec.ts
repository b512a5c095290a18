import { z } from "zod";
import { field, integer } from "../field.ts";
import { KNOWN_ARCHITECTURES } from "../knownNames.ts";
import { option, tagged, type UnionTag } from "../taggedUnion.ts";
import { MlpSpec } from "./MlpSpec.ts";

const TAG: UnionTag = {
  what: "architecture",
  key: "arch",
  tags: ["mlp"],
  known: KNOWN_ARCHITECTURES,
  fallback: "mlp",
};

/** The part of a network that turns an observation into the latent vector; `arch` says its kind. */
export const EncoderSpec = tagged(z.union([option(TAG, "mlp", MlpSpec)]), TAG);
export type EncoderSpec = z.output<typeof EncoderSpec>;

/** Adds an issue where the latent width is outside its bounds; absent values are not compared. */
export function checkLatentBounds(
  spec: {
    latent_dim?: number | undefined;
    min_latent_dim?: number | undefined;
    max_latent_dim?: number | undefined;
  },
  context: z.core.$RefinementCtx,
): void {
  const order = [
    ["min_latent_dim", "latent_dim"],
    ["latent_dim", "max_latent_dim"],
    ["min_latent_dim", "max_latent_dim"],
  ] as const;
  for (const [low, high] of order) {
    const [lower, upper] = [spec[low], spec[high]];
    if (lower === undefined || upper === undefined || lower <= upper) continue;
    const message = `found ${lower}; must be at most ${high} (${upper})`;
    context.addIssue({ code: "custom", path: [low], message, params: { code: "range" } });
    return;
  }
}

const notYet = (what: string) =>
  `${what} is known to the format but not yet supported by this build; set it to false`;

/** A boolean of the format that this build cannot turn on. */
export const unsupportedSwitch = (what: string) =>
  z
    .boolean()
    .default(false)
    .superRefine((on, context) => {
      if (on) context.addIssue({ code: "custom", message: notYet(what), params: { code: "unsupported" } });
    });

const networkShape = {
  latent_dim: field(integer(1).default(128), "Width of the vector between encoder and head.", {
    unit: "nodes",
  }),
  min_latent_dim: field(integer(1).default(16), "Narrowest latent vector a mutation may leave.", {
    advanced: true,
  }),
  max_latent_dim: field(integer(1).default(128), "Widest latent vector a mutation may reach.", {
    advanced: true,
  }),
  encoder_config: field(EncoderSpec, "The network from observation to latent vector."),
  head_config: field(MlpSpec, "The network from latent vector to output."),
  random_seed: field(
    integer(0).nullable().default(null),
    "Seed of the initial weights. Unset, the run's seed.",
    {
      advanced: true,
    },
  ),
  simba: field(unsupportedSwitch("The SimBa encoder"), "Uses a SimBa encoder.", { advanced: true }),
  has_evolvable_encoder: field(z.boolean().default(false), "The encoder is the user's own module.", {
    advanced: true,
    effect: false,
  }),
};

/** A network of which every setting is known: encoder, latent vector, head. */
export const NetworkSpec = z.strictObject(networkShape).superRefine(checkLatentBounds);
export type NetworkSpec = z.output<typeof NetworkSpec>;
export type NetworkSpecInput = z.input<typeof NetworkSpec>;

/** The network of a policy that samples its actions (PPO). */
export const StochasticActorSpec = z
  .strictObject({
    ...networkShape,
    squash_output: field(
      z.boolean().default(false),
      "Squashes continuous actions with tanh and rescales them to the action space.",
    ),
  })
  .superRefine(checkLatentBounds);
export type StochasticActorSpec = z.output<typeof StochasticActorSpec>;
export type StochasticActorSpecInput = z.input<typeof StochasticActorSpec>;
