import { z } from "zod";
import { field, integer } from "../field.ts";
import { Activation } from "./Activation.ts";
import { CnnData, CnnSpec, cnnArchitecture, DeferredCnnSpec } from "./CnnSpec.ts";
import { defineArchitecture, inferredArchitecture } from "./defineArchitecture.ts";
import { DeferredMlpSpec, MlpData, MlpSpec, mlpArchitecture } from "./MlpSpec.ts";
import { defaultsWith, storedFields, storedSize } from "./settings.ts";
import { LATENT_BOUNDS, type Settings } from "./sizeBounds.ts";

const bound = { advanced: true };
const rules = [LATENT_BOUNDS];

const ownSettings = {
  latent_dim: field(integer(1).default(128), "Width of each extractor's output.", { unit: "nodes" }),
  min_latent_dim: field(integer(1).default(16), "Narrowest output a mutation may leave.", bound),
  max_latent_dim: field(integer(1).default(128), "Widest output a mutation may reach.", bound),
  vector_space_mlp: field(
    z.boolean().default(false),
    "Passes vector observations through a perceptron instead of concatenating them unchanged.",
  ),
};

const MLP_HELP = "The perceptron for vector parts (vector_space_mlp).";
const CNN_HELP = "The convolutions for image parts.";

/** Defaults for settings that a section does not give, and for modules that callers create. */
export const MULTI_INPUT_DEFAULTS = defaultsWith(ownSettings, { latent_dim: 16, min_latent_dim: 8 });

const defaultMlp = (settings: Settings = {}): MlpSpec =>
  MlpSpec.parse(mlpArchitecture.inferred.fill(settings));
const defaultCnn = (settings: Settings = {}): CnnSpec =>
  CnnSpec.parse(cnnArchitecture.inferred.fill(settings));

const inferred = inferredArchitecture({ settings: ownSettings, rules, defaults: MULTI_INPUT_DEFAULTS });

/** Extractors for the parts of an observation as an encoder. */
export const multiInputArchitecture = {
  ...defineArchitecture({
    arch: "multiinput",
    description: "An extractor for each part of the observation.",
    settings: {
      ...ownSettings,
      mlp_config: field(MlpSpec.nullable().default(null), MLP_HELP),
      cnn_config: field(CnnSpec.nullable().default(null), CNN_HELP),
    },
    rules,
    reads: "mixed",
    portable: true,
    resolve: (spec) => ({
      ...spec,
      mlp_config: spec.mlp_config ?? defaultMlp(),
      cnn_config: spec.cnn_config ?? defaultCnn(),
    }),
  }),
  inferred: {
    ...inferred,
    deferred: inferred.deferred.safeExtend({
      mlp_config: field(DeferredMlpSpec.optional(), MLP_HELP),
      cnn_config: field(DeferredCnnSpec.optional(), CNN_HELP),
    }),
    fill: (settings: Settings): Settings => ({
      ...inferred.fill(settings),
      // `deferred` has validated both.
      mlp_config: defaultMlp(settings.mlp_config as DeferredMlpSpec | undefined),
      cnn_config: defaultCnn(settings.cnn_config as DeferredCnnSpec | undefined),
    }),
  },
};

/** Observations of several parts: an extractor for each image, concatenated vectors, then one dense layer. */
export const MultiInputSpec = multiInputArchitecture.spec;
export type MultiInputSpec = z.output<typeof MultiInputSpec>;
export type MultiInputSpecInput = z.input<typeof MultiInputSpec>;
/** Like {@link MultiInputSpec}, with the settings of both extractors known. */
export type MultiInputSettings = Omit<MultiInputSpec, "arch" | "mlp_config" | "cnn_config"> & {
  mlp_config: MlpSpec;
  cnn_config: CnnSpec;
};

/** Extractors with only some settings given. */
export const DeferredMultiInputSpec = multiInputArchitecture.inferred.deferred;
export type DeferredMultiInputSpec = z.output<typeof DeferredMultiInputSpec>;

const stored = storedFields(ownSettings);

/**
 * Extractors for the parts of an observation, and a dense layer over their outputs, as plain data. Vectors
 * are concatenated unchanged, or go through one perceptron together.
 */
export const MultiInputData = z.strictObject({
  kind: z.literal("multiinput"),
  inputs: storedSize,
  outputs: storedSize,
  /** In their order in the input. */
  parts: z
    .array(
      z
        .strictObject({
          /** Key in a Dict, index in a Tuple. */
          key: z.string(),
          /** Number of values in the network's input. */
          size: storedSize,
          /** Convolutions that read an image; null for a vector. */
          cnn: CnnData.nullable(),
        })
        .readonly(),
    )
    .min(1)
    .readonly(),
  vector_mlp: MlpData.nullable(),
  latent_dim: stored.latent_dim,
  min_latent_dim: stored.min_latent_dim,
  max_latent_dim: stored.max_latent_dim,
  /** Layer normalisation (not affine) before the output activation. */
  output_layernorm: z.boolean(),
  output_activation: Activation.nullable(),
});
export type MultiInputData = Readonly<z.output<typeof MultiInputData>>;
/** One part of an observation. */
export type MultiInputPart = MultiInputData["parts"][number];
