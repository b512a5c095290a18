/**
 * Observations of several parts: convolutions for each image; vectors unchanged, or through one MLP. All
 * features are concatenated -> linear -> (layer norm without parameters) -> output activation.
 */

import { z } from "zod";
import type { Axis, Segment, TensorSpec } from "../../evolution/members.ts";
import { layerNorm } from "../../kernels/functions.ts";
import { concat, slice, type Tensor } from "../../kernels/index.ts";
import { field, integer } from "../../specs/checks.ts";
import { Activation } from "../../specs/networks.ts";
import { type CompositeSpace, flatSize, imageLayout, isImage } from "../spaces.ts";
import { CnnData, CnnSpec, cnn, cnnArchitecture, cnnData, DeferredCnnSpec } from "./cnn.ts";
import { defineArchitecture, inferredArchitecture } from "./defineArchitecture.ts";
import {
  activationTensors,
  applyActivation,
  applyLinear,
  layerOutput,
  linearTensors,
  outputAxis,
  total,
  widthAxis,
} from "./layers.ts";
import { DeferredMlpSpec, MlpData, MlpSpec, mlp, mlpArchitecture, mlpData } from "./mlp.ts";
import type {
  ForwardContext,
  ModuleDefinition,
  ModuleEnds,
  ObservationPart,
  Parameters,
} from "./moduleDefinition.ts";
import { multiInputMethods } from "./multiInputMethods.ts";
import { defaultsWith, LATENT_BOUNDS, type Settings, storedFields, storedSize } from "./settings.ts";

const bound = { advanced: true };
const rules = [LATENT_BOUNDS];

const ownSettings = {
  latent_dim: field(integer(1).default(128), "Width of each extractor's output.", { unit: "nodes" }),
  min_latent_dim: field(integer(1).default(16), "Narrowest output after mutations.", bound),
  max_latent_dim: field(integer(1).default(128), "Widest output after mutations.", bound),
  vector_space_mlp: field(
    z.boolean().default(false),
    "Passes vector observations through a perceptron instead of concatenating them unchanged.",
  ),
};

const MLP_HELP = "The perceptron for vector parts (vector_space_mlp).";
const CNN_HELP = "The convolutions for image parts.";

/** Defaults for settings that a section does not give, and for modules that callers create. @internal */
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
export const MultiInputSpec: (typeof multiInputArchitecture)["spec"] = multiInputArchitecture.spec;
export type MultiInputSpec = z.output<typeof MultiInputSpec>;
export type MultiInputSpecInput = z.input<typeof MultiInputSpec>;
/** Like {@link MultiInputSpec}, with the settings of both extractors known. */
export type MultiInputSettings = Omit<MultiInputSpec, "arch" | "mlp_config" | "cnn_config"> & {
  mlp_config: MlpSpec;
  cnn_config: CnnSpec;
};

/** Extractors with only some settings given. */
export const DeferredMultiInputSpec: (typeof multiInputArchitecture)["inferred"]["deferred"] =
  multiInputArchitecture.inferred.deferred;
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

/** The parts of an observation for a multi-input module, in the order of the network's input. */
export const observationParts = (space: CompositeSpace): ObservationPart[] =>
  space.parts.map(
    ({ key, space: part }): ObservationPart =>
      part.kind === "Box" && isImage(part)
        ? { key, image: imageLayout(part).shape }
        : { key, size: flatSize(part) },
  );

/** Data of an encoder, from its settings. */
export function multiInputData(
  observation: readonly ObservationPart[],
  outputs: number,
  settings: MultiInputSettings,
): MultiInputData {
  const { latent_dim, min_latent_dim, max_latent_dim, mlp_config, cnn_config } = settings;
  const parts = observation.map((part): MultiInputPart => {
    if (!("image" in part)) return { ...part, cnn: null };
    const cnn = cnnData(part.image, latent_dim, cnn_config);
    return { key: part.key, size: cnn.inputs, cnn };
  });
  const sizeOf = (of: readonly MultiInputPart[]) => total(of.map(({ size }) => size));
  const vectors = parts.filter(({ cnn }) => cnn === null);
  const perceptron = settings.vector_space_mlp && vectors.length > 0;
  return {
    kind: "multiinput",
    inputs: sizeOf(parts),
    outputs,
    parts,
    vector_mlp: perceptron ? mlpData(sizeOf(vectors), latent_dim, mlp_config, "encoder") : null,
    latent_dim,
    min_latent_dim,
    max_latent_dim,
    output_layernorm: false,
    output_activation: "ReLU",
  };
}

const VECTOR_MLP = "vector_mlp.";

interface ImagePart {
  readonly key: string;
  /** Index of the part's first number in the input. */
  readonly start: number;
  readonly size: number;
  readonly cnn: CnnData;
  /** Prefix of tensor names. */
  readonly names: string;
  /** Prefix of width symbols. It has no key, because keys may contain characters that symbols may not. */
  readonly symbols: string;
}

/** The image parts and vector parts, with their positions in the input and the prefixes of their names. */
function split(data: MultiInputData, scope: string) {
  const images: ImagePart[] = [];
  const vectors: { readonly key: string; readonly start: number; readonly size: number }[] = [];
  let start = 0;
  data.parts.forEach(({ key, size, cnn: reader }, i) => {
    const place = { key, start, size };
    if (reader === null) vectors.push(place);
    else {
      const [names, symbols] = [`${scope}feature_net.${key}.`, `${scope}part${i}.`];
      images.push({ ...place, cnn: reader, names, symbols });
    }
    start += size;
  });
  return { images, vectors };
}

function tensors(data: MultiInputData, scope: string, ends: ModuleEnds): TensorSpec[] {
  const { vector_mlp, latent_dim } = data;
  const { images, vectors } = split(data, scope);
  const latent = (label: string): Axis => widthAxis(label, latent_dim, `${ends.symbols ?? scope}latent`);
  const vectorFeatures: Axis =
    vector_mlp === null
      ? vectors.map(({ key, size }): Segment => ({ label: `vector ${key}`, size, symbol: null }))
      : latent("vectors");
  const features: Axis = [...images.flatMap(({ key }) => latent(`image ${key}`)), ...vectorFeatures];
  return [
    ...images.flatMap((part) =>
      cnn.tensors(part.cnn, part.names, { outputs: latent("feature"), symbols: part.symbols }),
    ),
    ...(vector_mlp ? mlp.tensors(vector_mlp, `${scope}${VECTOR_MLP}`, { outputs: latent("feature") }) : []),
    ...linearTensors(`${scope}output`, [features], outputAxis(ends, data.outputs)),
    ...activationTensors(`${scope}output_activation`, data.output_activation),
  ];
}

function forward(
  data: MultiInputData,
  scope: string,
  params: Parameters,
  x: Tensor,
  context?: ForwardContext,
): Tensor {
  const { images, vectors } = split(data, scope);
  const joined = (parts: readonly Tensor[]): Tensor =>
    parts.length === 1 ? (parts[0] as Tensor) : concat(parts);
  const features = images.map((part) =>
    cnn.forward(part.cnn, part.names, params, slice(x, part.start, part.size), context),
  );
  const numbers = vectors.map(({ start, size }) => slice(x, start, size));
  if (data.vector_mlp)
    features.push(mlp.forward(data.vector_mlp, `${scope}${VECTOR_MLP}`, params, joined(numbers), context));
  else features.push(...numbers);
  let value = applyLinear(`${scope}output`, params, joined(features), context);
  if (data.output_layernorm) value = layerNorm(value);
  value = applyActivation(`${scope}output_activation`, data.output_activation, params, value, context);
  return layerOutput(`${scope}output`, value, context);
}

function describe({ parts, vector_mlp, latent_dim }: MultiInputData): string {
  const images = parts.flatMap(({ key, cnn: reader }) => (reader ? [`${key} ${cnn.describe(reader)}`] : []));
  const vectors = vector_mlp ? [`vectors ${mlp.describe(vector_mlp)}`] : [];
  return [...images, ...vectors, `features ${latent_dim}`].join(", ");
}

export const multiInput: ModuleDefinition<MultiInputData, MultiInputSettings> = {
  kind: "multiinput",
  schema: MultiInputData,
  encoder: (observed, outputs, settings) => multiInputData(observed.parts(), outputs, settings),
  methods: multiInputMethods,
  structureKey: (d) => {
    const parts = d.parts.map(
      ({ key, size, cnn: reader }) => `${key}: ${reader ? cnn.structureKey(reader) : size}`,
    );
    const vectors = d.vector_mlp ? `, vectors ${mlp.structureKey(d.vector_mlp)}` : "";
    const norm = d.output_layernorm ? "norm " : "";
    return `multiinput(${parts.join(" + ")}${vectors}, output ${norm}${d.output_activation ?? "linear"})`;
  },
  tensors,
  widths: (d, scope) => ({
    [`${scope}latent`]: d.latent_dim,
    ...Object.assign({}, ...split(d, scope).images.map((part) => cnn.widths(part.cnn, part.symbols))),
    ...(d.vector_mlp ? mlp.widths(d.vector_mlp, `${scope}${VECTOR_MLP}`) : {}),
  }),
  forward,
  activation: () => null,
  withActivation: (d) => d,
  withOutputs: (d, outputs) => ({ ...d, outputs }),
  layerNumbers: (d) => {
    const parts = d.parts.map((part) => (part.cnn ? cnn.layerNumbers(part.cnn) : 0));
    return total(parts) + (d.vector_mlp ? mlp.layerNumbers(d.vector_mlp) : 0) + d.outputs;
  },
  describe,
};
