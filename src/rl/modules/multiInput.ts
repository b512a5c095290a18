/**
 * Observations of several parts: convolutions for each image; vectors unchanged, or through one MLP. All
 * features are concatenated -> linear -> (layer norm without parameters) -> output activation.
 */
import type { Axis, Segment, TensorSpec } from "../../evolution/members.ts";
import { layerNorm } from "../../kernels/functions.ts";
import { concat, slice, type Tensor } from "../../kernels/index.ts";
import {
  type CnnData,
  MultiInputData,
  type MultiInputPart,
  type MultiInputSettings,
} from "../../specs/networks.ts";
import { cnn, cnnData } from "./cnn.ts";
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
import { mlp, mlpData } from "./mlp.ts";
import type {
  ForwardContext,
  ModuleDefinition,
  ModuleEnds,
  ObservationPart,
  Parameters,
} from "./moduleDefinition.ts";
import { multiInputMethods } from "./multiInputMethods.ts";

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
  let value = applyLinear(`${scope}output`, params, joined(features));
  if (data.output_layernorm) value = layerNorm(value);
  value = applyActivation(`${scope}output_activation`, data.output_activation, params, value);
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
