import { z } from "zod";
import { field, integer } from "../field.ts";
import { DeferredEncoderSpec } from "./DeferredEncoderSpec.ts";
import { DeferredHeadSpec } from "./MlpSpec.ts";
import { checkSize, LATENT_BOUNDS } from "./sizeBounds.ts";

const madeDeferredNetworkSpec = z
  .strictObject({
    latent_dim: field(integer(1).optional(), "Width of the vector between encoder and head. If unset, 64.", {
      unit: "nodes",
    }),
    min_latent_dim: field(integer(1).optional(), "Narrowest latent vector. If unset, 8.", { advanced: true }),
    max_latent_dim: field(integer(1).optional(), "Widest latent vector. If unset, 128.", { advanced: true }),
    encoder_config: field(
      DeferredEncoderSpec.prefault({}),
      "The network from observation to latent vector: convolutions for images (cnn), with memory for a recurrent policy (lstm, cnn_lstm), an extractor for each part of mixed observations (multiinput), else a perceptron (mlp).",
    ),
    head_config: field(
      DeferredHeadSpec.nullable().default(null),
      "The network from latent vector to output. If unset, one hidden layer of 64.",
    ),
    random_seed: field(
      integer(0).nullable().default(null),
      "Seed of the initial weights; members still differ from each other. If unset, the run's seed.",
      {
        advanced: true,
      },
    ),
    simba: field(z.boolean().default(false), "Uses a SimBa encoder for vector observations.", {
      advanced: true,
    }),
    squash_output: field(
      z.boolean().default(false),
      "Squashes continuous actions with tanh and rescales them (PPO only).",
    ),
    has_evolvable_encoder: field(z.boolean().default(false), "The encoder is the user's own module.", {
      advanced: true,
      effect: false,
    }),
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
