import { z } from "zod";
import { field, integer } from "../../specs/checks.ts";
import { DeferredHeadSpec, MlpSpec } from "../modules/all.ts";
import { switchedOn, switchesOf, switchFields } from "../modules/architectures.ts";
import { checkSize, LATENT_BOUNDS } from "../modules/settings.ts";
import { DeferredEncoderSpec, EncoderSpec } from "./EncoderSpec.ts";

const random_seed = field(
  integer(0).nullable().default(null),
  "Seed of the initial weights; members still differ from each other. If unset, the run's seed.",
  {
    advanced: true,
  },
);
const has_evolvable_encoder = field(z.boolean().default(false), "The encoder is the user's own module.", {
  advanced: true,
  effect: false,
});

const networkShape = {
  latent_dim: field(integer(1).default(128), "Width of the vector between encoder and head.", {
    unit: "nodes",
  }),
  min_latent_dim: field(integer(1).default(16), "Narrowest latent vector after mutations.", {
    advanced: true,
  }),
  max_latent_dim: field(integer(1).default(128), "Widest latent vector after mutations.", {
    advanced: true,
  }),
  encoder_config: field(EncoderSpec, "The network from observation to latent vector."),
  head_config: field(MlpSpec, "The network from latent vector to output."),
  random_seed,
  ...switchFields("declared"),
  has_evolvable_encoder,
};

interface Checked {
  latent_dim: number;
  encoder_config: EncoderSpec;
}

function check(spec: Checked, context: z.core.$RefinementCtx): void {
  checkSize({ ...spec }, LATENT_BOUNDS, context);
  const { arch } = spec.encoder_config;
  const on = switchedOn(spec);
  if (on !== null && arch !== on) {
    const message = `found true; the encoder's arch is "${arch}"; leave ${on} out, or set arch to ${on}`;
    context.addIssue({ code: "custom", path: [on], message });
  }
}

const withImplied = <S extends Checked>(spec: S): S => ({
  ...spec,
  ...switchesOf(switchedOn(spec) ?? spec.encoder_config.arch),
});

const madeNetworkSpec = z.strictObject(networkShape).superRefine(check).overwrite(withImplied);
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
  .overwrite(withImplied);
type StochasticActorSpecMade = typeof madeStochasticActorSpec;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface StochasticActorSpecSchema extends StochasticActorSpecMade {}

/** The network of a policy that samples its actions (PPO). */
export const StochasticActorSpec: StochasticActorSpecSchema = madeStochasticActorSpec;
export type StochasticActorSpec = z.output<typeof StochasticActorSpec>;
export type StochasticActorSpecInput = z.input<typeof StochasticActorSpec>;

const madeDeferredNetworkSpec = z
  .strictObject({
    latent_dim: field(integer(1).optional(), "Width of the vector between encoder and head. If unset, 64.", {
      unit: "nodes",
    }),
    min_latent_dim: field(integer(1).optional(), "Narrowest latent vector. If unset, 8.", { advanced: true }),
    max_latent_dim: field(integer(1).optional(), "Widest latent vector. If unset, 128.", { advanced: true }),
    encoder_config: field(
      DeferredEncoderSpec.prefault({}),
      "The network from observation to latent vector. Its kind follows from the observations, unless arch names one.",
    ),
    head_config: field(
      DeferredHeadSpec.nullable().default(null),
      "The network from latent vector to output. If unset, one hidden layer of 64.",
    ),
    random_seed,
    ...switchFields("deferred"),
    squash_output: field(
      z.boolean().default(false),
      "Squashes continuous actions with tanh and rescales them (PPO only).",
    ),
    has_evolvable_encoder,
  })
  .superRefine((spec, context) => checkSize({ ...spec }, LATENT_BOUNDS, context));
type DeferredNetworkSpecMade = typeof madeDeferredNetworkSpec;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface DeferredNetworkSpecSchema extends DeferredNetworkSpecMade {}

/**
 * A network section that names no architecture: the encoder follows from the environment's observations, and
 * {@link resolveNetwork} fills in the settings that are not given. Latent sizes therefore have no default
 * here.
 */
export const DeferredNetworkSpec: DeferredNetworkSpecSchema = madeDeferredNetworkSpec;
export type DeferredNetworkSpec = z.output<typeof DeferredNetworkSpec>;
export type DeferredNetworkSpecInput = z.input<typeof DeferredNetworkSpec>;
