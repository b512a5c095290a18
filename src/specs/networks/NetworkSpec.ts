import { z } from "zod";
import { field, integer } from "../field.ts";
import { EncoderSpec } from "./EncoderSpec.ts";
import { MlpSpec } from "./MlpSpec.ts";
import { checkSize, LATENT_BOUNDS } from "./sizeBounds.ts";

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
    "Seed of the initial weights; members still differ from each other. If unset, the run's seed.",
    {
      advanced: true,
    },
  ),
  simba: field(z.boolean().default(false), "Uses a SimBa encoder; implied by arch simba.", {
    advanced: true,
  }),
  has_evolvable_encoder: field(z.boolean().default(false), "The encoder is the user's own module.", {
    advanced: true,
    effect: false,
  }),
};

interface Checked {
  latent_dim: number;
  simba: boolean;
  encoder_config: EncoderSpec;
}

function check(spec: Checked, context: z.core.$RefinementCtx): void {
  checkSize({ ...spec }, LATENT_BOUNDS, context);
  const { arch } = spec.encoder_config;
  if (spec.simba && arch !== "simba") {
    const message = `found true; the encoder's arch is "${arch}"; leave simba out, or set arch to simba`;
    context.addIssue({ code: "custom", path: ["simba"], message });
  }
}

const impliedSimba = <S extends Checked>(spec: S): S => ({
  ...spec,
  simba: spec.simba || spec.encoder_config.arch === "simba",
});

const madeNetworkSpec = z.strictObject(networkShape).superRefine(check).overwrite(impliedSimba);
type NetworkSpecMade = typeof madeNetworkSpec;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface NetworkSpecSchema extends NetworkSpecMade {}

/** A network with all settings known: encoder, latent vector, head. */
export const NetworkSpec: NetworkSpecSchema = madeNetworkSpec;
export type NetworkSpec = z.output<typeof NetworkSpec>;
export type NetworkSpecInput = z.input<typeof NetworkSpec>;

const madeStochasticActorSpec = z
  .strictObject({
    ...networkShape,
    squash_output: field(
      z.boolean().default(false),
      "Squashes continuous actions with tanh and rescales them to the action space.",
    ),
  })
  .superRefine(check)
  .overwrite(impliedSimba);
type StochasticActorSpecMade = typeof madeStochasticActorSpec;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface StochasticActorSpecSchema extends StochasticActorSpecMade {}

/** The network of a policy that samples its actions (PPO). */
export const StochasticActorSpec: StochasticActorSpecSchema = madeStochasticActorSpec;
export type StochasticActorSpec = z.output<typeof StochasticActorSpec>;
export type StochasticActorSpecInput = z.input<typeof StochasticActorSpec>;
