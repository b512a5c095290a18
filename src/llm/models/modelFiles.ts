/** Model folders in transformers' format: `config.json`, and weights in one or more safetensors files. */
import { z } from "zod";
import { hubIdOf } from "../../hub/index.ts";
import { encodeSafetensors, StorageError, type StoredTensor } from "../../storage/index.ts";
import { type Folder, jsonBytes, missingFile, placeOf, readJson } from "../files/Folder.ts";
import { familyOf } from "./families.ts";
import { type LayerKind, type ModelConfig, type ModelFamily, weightsOf } from "./ModelConfig.ts";
import { parseConfig } from "./parseConfig.ts";
import { StoredWeights } from "./StoredWeights.ts";
import { WEIGHTS } from "./weightFiles.ts";

/** Token ids that generation in Python reads from `config.json`; `null` if there is no such token. */
interface ConfigTokens {
  readonly bos_token_id: number | null;
  readonly eos_token_id: number | null;
  readonly pad_token_id: number | null;
}

const NO_TOKENS: ConfigTokens = { bos_token_id: null, eos_token_id: null, pad_token_id: null };

/** Numbers that transformers 5 takes for floats only if they have a point, which JavaScript leaves out. */
const WHOLE_FLOATS = /"(?:(?:attn|final)_logit_softcapping|attention_factor)": \d+(?=[,\n])/g;

/** A `config.json`. */
export function configBytes(content: Record<string, unknown>): Uint8Array {
  const text = new TextDecoder().decode(jsonBytes(content));
  return new TextEncoder().encode(text.replace(WHOLE_FLOATS, "$&.0"));
}

/** Content of `config.json`, which `parseConfig` and transformers versions 4 and 5 read as the same model. */
export function writeConfig(config: ModelConfig, tokens: ConfigTokens = NO_TOKENS): Record<string, unknown> {
  const { family } = config;
  return {
    architectures: [familyOf(config).architecture],
    model_type: family,
    ...(family === "gpt2" ? learnedPositions(config) : rotary(config)),
    vocab_size: config.vocab_size,
    tie_word_embeddings: config.tie_word_embeddings,
    ...tokens,
    dtype: "float32",
    torch_dtype: "float32",
  };
}

function learnedPositions(config: ModelConfig): Record<string, unknown> {
  return {
    n_embd: config.hidden_size,
    n_layer: config.num_layers,
    n_head: config.num_heads,
    n_inner: config.intermediate_size,
    n_positions: config.max_position_embeddings,
    layer_norm_epsilon: config.norm_epsilon,
    activation_function: config.activation,
  };
}

function rotary(config: ModelConfig): Record<string, unknown> {
  const { family, rope_theta, rope_scaling } = config;
  const dynamic = rope_scaling?.rope_type === "dynamic" ? rope_scaling : null;
  const scaling = dynamic ? { rope_type: dynamic.rope_type, factor: dynamic.factor } : rope_scaling;
  const part = partial(config);
  const rope = { rope_type: "default", rope_theta, ...scaling, ...part };
  const epsilon = config.norm_epsilon;
  return {
    hidden_size: config.hidden_size,
    intermediate_size: config.intermediate_size,
    num_hidden_layers: config.num_layers,
    num_attention_heads: config.num_heads,
    num_key_value_heads: config.num_key_value_heads,
    head_dim: config.head_dim,
    max_position_embeddings: dynamic?.original_max_position_embeddings ?? config.max_position_embeddings,
    ...(familyOf(config).norm === "layer" ? { layer_norm_eps: epsilon } : { rms_norm_eps: epsilon }),
    hidden_act: config.activation,
    rope_theta,
    ...(scaling && { rope_scaling: scaling }),
    rope_parameters: rope,
    ...part,
    ...(!WITHOUT_BIASES.has(family) && { attention_bias: config.qkv_bias }),
    ...((family === "llama" || family === "smollm3") && { mlp_bias: config.mlp_bias }),
    ...(family === "phi" && { qk_layernorm: config.head_norms ?? false }),
    ...(family === "phi3" && { original_max_position_embeddings: config.max_position_embeddings }),
    ...layers(config),
    ...((family === "gemma2" || family === "gemma3_text") && {
      hidden_activation: config.activation === "gelu_new" ? "gelu_pytorch_tanh" : config.activation,
      query_pre_attn_scalar: config.score_width,
    }),
    ...(family === "gemma2" && {
      attn_logit_softcapping: config.score_cap ?? null,
      final_logit_softcapping: config.logit_cap ?? null,
    }),
    ...(family === "gemma3_text" && {
      rope_local_base_freq: config.rope_local_theta,
      rope_parameters: {
        full_attention: rope,
        sliding_attention: { rope_type: "default", rope_theta: config.rope_local_theta },
      },
    }),
  };
}

/** Families whose biases are always the same. */
const WITHOUT_BIASES: ReadonlySet<ModelFamily> = new Set(["mistral", "qwen2", "phi", "phi3"]);

/** The turning share of a head, for families that have such a field; transformers rounds its elements down. */
function partial({ family, head_dim, rotary_dim = head_dim }: ModelConfig): object | null {
  if (family !== "phi" && family !== "phi3") return null;
  const share = rotary_dim / head_dim;
  const rounded = Math.floor(head_dim * share) === rotary_dim ? share : (rotary_dim + 0.5) / head_dim;
  return { partial_rotary_factor: rounded };
}

/** Fields about the kinds of layers, for families that have any. */
function layers({ family, num_layers, layer_kinds }: ModelConfig): Record<string, unknown> {
  const usual: LayerKind = { window: null, rope: "global" };
  const kinds = layer_kinds ?? Array.from({ length: num_layers }, () => usual);
  const sliding_window = kinds.find(({ window }) => window !== null)?.window ?? null;
  if (family === "mistral" || family === "phi3") return { sliding_window };
  const isGemma = family === "gemma2" || family === "gemma3_text";
  if (!isGemma && family !== "smollm3" && layer_kinds === undefined) return {};
  // Gemma's layers with local wavelengths are those with a window.
  const slides = kinds.map(({ window, rope }) => window !== null || rope === "local");
  return {
    layer_types: slides.map((own) => (own ? "sliding_attention" : "full_attention")),
    // Gemma 2 must have one, also where no layer uses it.
    ...((family !== "gemma2" || sliding_window !== null) && { sliding_window }),
    ...(!isGemma && { use_sliding_window: sliding_window !== null }),
    ...(family === "smollm3" && { no_rope_layers: kinds.map(({ rope }) => (rope === null ? 0 : 1)) }),
  };
}

const CONFIG = "config.json";

/** Weights by the names from {@link weightsOf}, in the same order. */
export type ModelWeights = Map<string, Float32Array>;

export interface LoadedModel {
  readonly config: ModelConfig;
  readonly weights: ModelWeights;
}

/** A model whose weights are still in its files. */
export interface StoredModel {
  readonly config: ModelConfig;
  readonly weights: StoredWeights;
}

/**
 * Opens a model with F32, F16, BF16 or F64 weights. Names and shapes must match its `config.json`. Accepts
 * common variants of hub files: names without the prefix `transformer.` or `model.`, buffers of attention
 * masks and rotary embeddings, and an output layer in addition to the embedding that it is tied to.
 * @throws SpecError for an unsupported config. StorageError `not_found` for a missing file, `corrupt` for
 *   tensors that are damaged, missing, surplus, of another shape, or not floating-point numbers.
 */
export async function openModel(folder: Folder): Promise<StoredModel> {
  const content = await readJson(folder, CONFIG, z.unknown());
  if (content === null) throw missingFile(folder, CONFIG, `${hubAdvice(folder.path)}check the path`);
  const config = parseConfig(content, placeOf(folder, CONFIG));
  return { config, weights: await StoredWeights.open(folder, config) };
}

/** Reads a model into host memory. @throws As {@link openModel} and {@link StoredWeights.parts} do. */
export async function loadModel(folder: Folder): Promise<LoadedModel> {
  const { config, weights } = await openModel(folder);
  return { config, weights: await weights.whole() };
}

/** What to do if a path may be an id of the hub: those look like paths. */
function hubAdvice(path: string): string {
  const usual = "a folder that transformers saved has one; ";
  if (hubIdOf(path) === null) return usual;
  return `${usual}if "${path}" is an id of the hub, fetch the model first (rlkit models fetch ${path}); otherwise `;
}

/**
 * The files of a fully trained model by name: `config.json`, and `model.safetensors` in F32, which
 * {@link loadModel} and transformers can read.
 * @throws StorageError `io` if a weight of the config is missing.
 */
export function modelFiles(
  config: ModelConfig,
  weights: ReadonlyMap<string, Float32Array>,
  tokens?: ConfigTokens,
): Map<string, Uint8Array> {
  const tensors = weightsOf(config).map(({ name, shape }): [string, StoredTensor] => {
    const data = weights.get(name);
    if (data === undefined) throw new StorageError("io", WEIGHTS, `there are no weights of "${name}"`);
    return [name, { shape, data }];
  });
  return new Map([
    [CONFIG, configBytes(writeConfig(config, tokens))],
    [WEIGHTS, encodeSafetensors(tensors, { format: "pt" })],
  ]);
}
