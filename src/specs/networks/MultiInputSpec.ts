import { z } from "zod";
import { field, integer } from "../field.ts";
import { CnnSpec, DeferredCnnSpec } from "./CnnSpec.ts";
import { deferredFields } from "./deferredFields.ts";
import { DeferredMlpSpec, MlpSpec } from "./MlpSpec.ts";
import { checkSize, LATENT_BOUNDS } from "./sizeBounds.ts";

const bound = { advanced: true };

const shape = {
  latent_dim: field(integer(1).default(128), "Width of each extractor's output.", { unit: "nodes" }),
  min_latent_dim: field(integer(1).default(16), "Narrowest output a mutation may leave.", bound),
  max_latent_dim: field(integer(1).default(128), "Widest output a mutation may reach.", bound),
  vector_space_mlp: field(
    z.boolean().default(false),
    "Puts a perceptron behind vector observations, which otherwise join as they are.",
  ),
};

/** Observations of several parts: an extractor for each image, vectors joined, one dense layer behind them. */
export const MultiInputSpec = z
  .strictObject({
    arch: field(
      z.literal("multiinput").default("multiinput"),
      "An extractor for each part of the observation.",
    ),
    ...shape,
    mlp_config: field(MlpSpec.nullable().default(null), "The perceptron of vector parts (vector_space_mlp)."),
    cnn_config: field(CnnSpec.nullable().default(null), "The convolutions of image parts."),
  })
  .superRefine((spec, context) => checkSize(spec, LATENT_BOUNDS, context));
export type MultiInputSpec = z.output<typeof MultiInputSpec>;
export type MultiInputSpecInput = z.input<typeof MultiInputSpec>;
/** As {@link MultiInputSpec}, both extractors' settings known. */
export type MultiInputSettings = Omit<MultiInputSpec, "arch" | "mlp_config" | "cnn_config"> & {
  mlp_config: MlpSpec;
  cnn_config: CnnSpec;
};

/** Settings that a section leaves open. */
export const MULTI_INPUT_DEFAULTS = {
  latent_dim: 16,
  min_latent_dim: 8,
  max_latent_dim: 128,
  vector_space_mlp: false,
} as const;

/** Extractors of which only some settings are given. */
export const DeferredMultiInputSpec = z
  .strictObject({
    ...deferredFields(shape, MULTI_INPUT_DEFAULTS),
    mlp_config: field(DeferredMlpSpec.optional(), "The perceptron of vector parts (vector_space_mlp)."),
    cnn_config: field(DeferredCnnSpec.optional(), "The convolutions of image parts."),
  })
  .superRefine((spec, context) => checkSize(spec, LATENT_BOUNDS, context));
export type DeferredMultiInputSpec = z.output<typeof DeferredMultiInputSpec>;
