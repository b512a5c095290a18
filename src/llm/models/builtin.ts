/**
 * Built-in models, which need no files: small untrained Llamas with a character tokenizer.
 *
 * Their weights suit adapters, which change neither the embedding nor the output layer. The embeddings use
 * the first half of the residual stream, the output layer reads the second half, and layers initially have
 * no effect. Therefore all tokens are equally likely at first, after every prompt. The rows of the output
 * layer have about length 1, and the stream after the last norm has length sqrt(width). So an adapter can
 * make any token nearly certain.
 */
import { Random } from "../../evolution/index.ts";
import { CharacterTokenizer } from "../tokenizers/CharacterTokenizer.ts";
import type { Tokenizer } from "../tokenizers/Tokenizer.ts";
import { embeddingName, OUTPUT_LAYER } from "./families.ts";
import { type ModelConfig, type WeightDecl, weightsOf } from "./ModelConfig.ts";
import type { ModelWeights } from "./modelFiles.ts";

const WIDTH = 64;

/** The printable ASCII characters, space to tilde. */
const PRINTABLE = String.fromCharCode(...Array.from({ length: 127 - 32 }, (_, i) => 32 + i));

interface Vocabulary {
  readonly characters: string;
  readonly max_position_embeddings: number;
}

const VOCABULARIES = {
  "rlkit/tiny-digits": { characters: "01234", max_position_embeddings: 128 },
  "rlkit/tiny-letters": { characters: `${PRINTABLE}\n`, max_position_embeddings: 256 },
} as const satisfies Readonly<Record<string, Vocabulary>>;

export type BuiltInModelId = keyof typeof VOCABULARIES;

export const builtInModelIds = Object.keys(VOCABULARIES) as readonly BuiltInModelId[];

export const isBuiltInModel = (id: string): id is BuiltInModelId => Object.hasOwn(VOCABULARIES, id);

export interface BuiltInModel {
  readonly config: ModelConfig;
  readonly tokenizer: Tokenizer;
  /** A new copy of the initial weights, which depend only on the id. */
  weights(): ModelWeights;
}

/** A built-in model. It has two layers of width 64. */
export function builtInModel(id: BuiltInModelId): BuiltInModel {
  const { characters, max_position_embeddings } = VOCABULARIES[id];
  const tokenizer = new CharacterTokenizer(characters);
  const config: ModelConfig = {
    family: "llama",
    vocab_size: tokenizer.vocab_size,
    hidden_size: WIDTH,
    num_layers: 2,
    num_heads: 2,
    num_key_value_heads: 2,
    head_dim: 32,
    intermediate_size: 128,
    max_position_embeddings,
    norm_epsilon: 1e-5,
    rope_theta: 10000,
    activation: "silu",
    qkv_bias: false,
    output_bias: false,
    mlp_bias: false,
    tie_word_embeddings: false,
  };
  return {
    config,
    tokenizer,
    weights: () => new Map(weightsOf(config).map((decl) => [decl.name, initialWeight(id, decl)])),
  };
}

const STANDARD_DEVIATION = 0.02;

/** Weights whose results are added to the residual stream. */
const WRITES = /\.(o_proj|down_proj)\.weight$/;

function initialWeight(id: BuiltInModelId, { name, shape }: WeightDecl): Float32Array {
  const length = shape.reduce((a, b) => a * b, 1);
  if (shape.length === 1) return new Float32Array(length).fill(1);
  if (WRITES.test(name)) return new Float32Array(length);
  const random = new Random({ seed: 0, stream: `${id}/${name}` });
  const half = WIDTH / 2;
  const isOutput = name === OUTPUT_LAYER;
  const deviation = isOutput ? 1 / Math.sqrt(half) : STANDARD_DEVIATION;
  const halved = isOutput || name === embeddingName({ family: "llama" });
  return Float32Array.from({ length }, (_, i) => {
    const value = deviation * random.normal();
    return halved && i % WIDTH < half === isOutput ? 0 : value;
  });
}
