/** Small models with random weights: as folders of a store, and as plain numbers. */

import { writeAdapterConfig } from "../../../../src/llm/adapters/adapterConfig.ts";
import { jsonBytes } from "../../../../src/llm/files/Folder.ts";
import { parseConfig } from "../../../../src/llm/models/parseConfig.ts";
import { adapterWeightsOf, type LoraSettings, weightsOf } from "../../../../src/llm/models.ts";
import { encodeSafetensors, type FileStore } from "../../../../src/storage/index.ts";
import { numbers } from "../../../kernels/support/numbers.ts";
import { safetensorsOf } from "../../../storage/support/safetensorsOf.ts";
import { GPT2, LLAMA, QWEN2 } from "../../support/configs.ts";
import type { PlainAdapter, PlainConfig, PlainTensor, PlainWeights } from "../../support/plainModel.ts";

export const FAMILIES: Readonly<Record<string, PlainConfig>> = {
  llama: { ...LLAMA, head_dim: 6, rope_theta: 5e5 },
  "llama with biases": { ...LLAMA, attention_bias: true, mlp_bias: true, tie_word_embeddings: true },
  qwen2: QWEN2,
  gpt2: GPT2,
};

/** Multiples of 1 / 64 below 1, which F16 and BF16 have exactly. */
function drawn(shape: readonly number[], next: () => number, centre: number): PlainTensor {
  const length = shape.reduce((a, b) => a * b, 1);
  return {
    shape,
    data: Float64Array.from({ length }, () => centre + Math.round(28 * (2 * next() - 1)) / 64),
  };
}

/** Weights of a model by the names of its file; norms near 1. */
export function drawnWeights(config: PlainConfig, seed = 1): PlainWeights {
  const next = numbers(seed);
  return new Map(
    weightsOf(parseConfig(config)).map(({ name, shape }) => {
      const isNorm = shape.length === 1 && /norm|ln_/.test(name) && name.endsWith("weight");
      return [name, drawn(shape, next, isNorm ? 1 : 0)];
    }),
  );
}

/** An adapter with an effect. */
export function drawnAdapter(config: PlainConfig, lora: LoraSettings, seed = 2): PlainAdapter {
  const next = numbers(seed);
  const tensors = adapterWeightsOf(parseConfig(config), lora).map(
    ({ name, shape }) => [name, drawn(shape, next, 0)] as const,
  );
  return { tensors: new Map(tensors), scale: lora.lora_alpha / lora.lora_r };
}

export const FILE_TYPES = ["F32", "F16", "BF16"] as const;

/** The bits of a number that has few digits, as the type has them. */
function bitsOf(value: number, type: "F16" | "BF16"): number {
  const word = new Uint32Array(Float32Array.of(value).buffer)[0] ?? 0;
  if (type === "BF16") return word >>> 16;
  const exponent = ((word >>> 23) & 0xff) - 127 + 15;
  return value === 0 ? 0 : ((word >>> 16) & 0x8000) | (exponent << 10) | ((word >>> 13) & 0x3ff);
}

function fileOf(tensors: PlainWeights, type: (typeof FILE_TYPES)[number]): Uint8Array {
  if (type === "F32")
    return encodeSafetensors(
      [...tensors].map(([name, { shape, data }]) => [name, { shape, data: Float32Array.from(data) }]),
      { format: "pt" },
    );
  return safetensorsOf(
    Object.fromEntries(
      [...tensors].map(([name, { shape, data }]) => {
        const bits = Uint16Array.from(data, (value) => bitsOf(value, type));
        return [name, { dtype: type, shape, data: new Uint8Array(bits.buffer) }];
      }),
    ),
  );
}

/** Writes a model's folder, without tokenizer. */
export async function writeModel(
  store: FileStore,
  dir: string,
  config: PlainConfig,
  weights: PlainWeights,
  type: (typeof FILE_TYPES)[number] = "F32",
): Promise<void> {
  await store.write(`${dir}/config.json`, jsonBytes(config));
  await store.write(`${dir}/model.safetensors`, fileOf(weights, type));
}

/** Writes an adapter's folder. */
export async function writeAdapter(
  store: FileStore,
  dir: string,
  config: PlainConfig,
  lora: LoraSettings,
  { tensors }: PlainAdapter,
): Promise<void> {
  await store.write(
    `${dir}/adapter_config.json`,
    jsonBytes(writeAdapterConfig(parseConfig(config), lora, null)),
  );
  await store.write(`${dir}/adapter_model.safetensors`, fileOf(tensors, "F32"));
}

/** Sequences of different lengths, and the same padded on either side. */
export const SEQUENCES: readonly (readonly number[])[] = [
  [3, 1, 4, 1, 5, 9, 2, 6],
  [8, 7, 10],
  [2, 7, 1, 8, 2],
];

export type Side = "left" | "right";

export function padded(sequences: readonly (readonly number[])[], side: Side, pad = 0) {
  const length = Math.max(...sequences.map((ids) => ids.length));
  const put = (ids: readonly number[], fill: number): number[] => {
    const rest = Array<number>(length - ids.length).fill(fill);
    return side === "left" ? [...rest, ...ids] : [...ids, ...rest];
  };
  return {
    input_ids: sequences.map((ids) => put(ids, pad)),
    attention_mask: sequences.map((ids) =>
      put(
        ids.map(() => 1),
        0,
      ),
    ),
    /** Column of a sequence's first token. */
    starts: sequences.map((ids) => (side === "left" ? length - ids.length : 0)),
  };
}
