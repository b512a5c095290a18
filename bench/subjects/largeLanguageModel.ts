/** A folder with a model of SmolLM2-135M's sizes, or others: random weights in bfloat16, without a tokenizer. */
import { closeSync, existsSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type ModelConfig, parseConfig, weightsOf } from "../../src/llm/models.ts";

const CONFIG = {
  architectures: ["LlamaForCausalLM"],
  model_type: "llama",
  vocab_size: 49_152,
  hidden_size: 576,
  intermediate_size: 1536,
  num_hidden_layers: 30,
  num_attention_heads: 9,
  num_key_value_heads: 3,
  max_position_embeddings: 8192,
  rms_norm_eps: 1e-5,
  rope_theta: 100_000,
  hidden_act: "silu",
  tie_word_embeddings: true,
};

/** Random bfloat16 numbers below 0.04 in magnitude, or ones for norms. */
function brainFloats(length: number, norm: boolean, next: () => number): Uint16Array {
  const floats = new Float32Array(length);
  for (let i = 0; i < length; i++) floats[i] = norm ? 1 : 0.08 * next() - 0.04;
  const bits = new Uint32Array(floats.buffer);
  const halves = new Uint16Array(length);
  for (let i = 0; i < length; i++) halves[i] = (bits[i] ?? 0) >>> 16;
  return halves;
}

/** A generator that suffices for weights (Numerical Recipes' constants). */
function uniform(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Writes the model into a folder, unless it is there already. @param sizes Entries of its configuration. */
export function largeLanguageModel(folder: string, sizes: Partial<typeof CONFIG> = {}): ModelConfig {
  const given = { ...CONFIG, ...sizes };
  const config = parseConfig(given, "config.json");
  const file = join(folder, "model.safetensors");
  if (existsSync(file)) return config;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.json"), JSON.stringify(given));
  const weights = weightsOf(config).map((decl) => ({
    ...decl,
    length: decl.shape.reduce((a, b) => a * b, 1),
  }));
  let at = 0;
  const header = Object.fromEntries(
    weights.map(({ name, shape, length }) => {
      const begin = at;
      at += 2 * length;
      return [name, { dtype: "BF16", shape, data_offsets: [begin, at] }];
    }),
  );
  const json = JSON.stringify(header);
  const text = new TextEncoder().encode(json.padEnd(Math.ceil(json.length / 8) * 8));
  const out = openSync(file, "w");
  writeSync(out, new Uint8Array(new BigUint64Array([BigInt(text.length)]).buffer));
  writeSync(out, text);
  const next = uniform();
  for (const { shape, length } of weights) writeSync(out, brainFloats(length, shape.length === 1, next));
  closeSync(out);
  return config;
}
