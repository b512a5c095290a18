import type { Activation } from "../../specs/networks/Activation.ts";
import type { MultiInputSettings } from "../../specs/networks/MultiInputSpec.ts";
import { type CnnData, cnnData } from "./cnnData.ts";
import type { Convolutions } from "./convolutions.ts";
import { type MlpData, mlpData } from "./mlpData.ts";

/** One part of an observation. */
export interface MultiInputPart {
  /** Key in a Dict, index in a Tuple. */
  readonly key: string;
  /** Numbers that it has in the network's input. */
  readonly size: number;
  /** What reads an image; null for a vector. */
  readonly cnn: CnnData | null;
}

/**
 * Extractors for the parts of an observation, and a dense layer over what they give, as plain data. Vectors join as
 * they are, or go through one perceptron together.
 */
export interface MultiInputData {
  readonly kind: "multiinput";
  readonly inputs: number;
  readonly outputs: number;
  /** In the order in which they stand in the input. */
  readonly parts: readonly MultiInputPart[];
  readonly vector_mlp: MlpData | null;
  /** Width of each extractor's output. */
  readonly latent_dim: number;
  readonly min_latent_dim: number;
  readonly max_latent_dim: number;
  /** Layer normalisation (not affine) before the output activation. */
  readonly output_layernorm: boolean;
  readonly output_activation: Activation | null;
}

/** A part of an observation: an image [channels, height, width], or a vector. */
export type ObservationPart =
  | { readonly key: string; readonly image: Convolutions["input_shape"] }
  | { readonly key: string; readonly size: number };

/** An encoder from its settings. */
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
  const total = (of: readonly MultiInputPart[]) => of.reduce((sum, { size }) => sum + size, 0);
  const vectors = parts.filter(({ cnn }) => cnn === null);
  const perceptron = settings.vector_space_mlp && vectors.length > 0;
  return {
    kind: "multiinput",
    inputs: total(parts),
    outputs,
    parts,
    vector_mlp: perceptron ? mlpData(total(vectors), latent_dim, mlp_config, "encoder") : null,
    latent_dim,
    min_latent_dim,
    max_latent_dim,
    output_layernorm: false,
    output_activation: "ReLU",
  };
}
