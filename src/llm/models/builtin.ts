/** Models that need no file: small Llamas, untrained, with a tokenizer of characters. */
import { Random } from "../../evolution/index.ts";
import { CharacterTokenizer } from "../tokenizers/CharacterTokenizer.ts";
import type { Tokenizer } from "../tokenizers/Tokenizer.ts";
import { type ModelConfig, type WeightDecl, weightsOf } from "./ModelConfig.ts";
import type { ModelWeights } from "./modelFiles.ts";

/** Space to tilde. */
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
  /** The same for every call, a copy of the caller's own: a function of the id alone. */
  weights(): ModelWeights;
}

/** A model by its id. Two layers of width 64. */
export function builtInModel(id: BuiltInModelId): BuiltInModel {
  const { characters, max_position_embeddings } = VOCABULARIES[id];
  const tokenizer = new CharacterTokenizer(characters);
  const config: ModelConfig = {
    family: "llama",
    vocab_size: tokenizer.vocab_size,
    hidden_size: 64,
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
    tie_word_embeddings: true,
  };
  return {
    config,
    tokenizer,
    weights: () => new Map(weightsOf(config).map((decl) => [decl.name, initialWeight(id, decl)])),
  };
}

/** As transformers begins a Llama: norms at 1, all else normal. */
const STANDARD_DEVIATION = 0.02;

function initialWeight(id: BuiltInModelId, { name, shape }: WeightDecl): Float32Array {
  const length = shape.reduce((a, b) => a * b, 1);
  if (shape.length === 1) return new Float32Array(length).fill(1);
  const random = new Random({ seed: 0, stream: `${id}/${name}` });
  return Float32Array.from({ length }, () => STANDARD_DEVIATION * random.normal());
}
