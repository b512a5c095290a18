/**
 * A model with its cache as inputs and outputs in ONNX, in the folders that Optimum writes and transformers.js reads:
 * `onnx/model.onnx` with `onnx/model.onnx_data`, and the model's other files.
 */
import { z } from "zod";
import { toOnnx } from "../../kernels/devices.ts";
import { VERSION } from "../../specs/messages.ts";
import { type FileStore, joinPath, StorageError } from "../../storage/index.ts";
import { type MergedAdapter, mergeInto } from "../adapters/mergedWeight.ts";
import { type Folder, jsonBytes, readJson } from "../files/Folder.ts";
import { type ModelConfig, weightsOf } from "../models/ModelConfig.ts";
import { configBytes, writeConfig } from "../models/modelFiles.ts";
import { baseName } from "../models/WeightSource.ts";
import { AbsentTokenizer } from "../tokenizers/AbsentTokenizer.ts";
import { companionFiles } from "../tokenizers/companionFiles.ts";
import type { Tokenizer } from "../tokenizers/Tokenizer.ts";
import { DECODE, DECODE_SIZES, decodeProgram } from "./decodeProgram.ts";
import { POSITIONS } from "./names.ts";
import { positionTables } from "./rotaryTables.ts";

const MODEL = "model.onnx";
const DATA = "model.onnx_data";

const [CONFIG, GENERATION] = ["config.json", "generation_config.json"];

export interface OnnxSource {
  readonly config: ModelConfig;
  /** The model's weights by their names in its file. */
  readonly weights: ReadonlyMap<string, Float32Array>;
  /** Merged into the weights; `null` for none. */
  readonly adapter: MergedAdapter | null;
  readonly tokenizer: Tokenizer;
  /** The model's folder; `null` for a built-in model. */
  readonly folder: Folder | null;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/**
 * Writes an ONNX model to `dir`, f32, with weights outside of the graph. Inputs: `input_ids`, `attention_mask` and
 * `position_ids`, i64, and `past_key_values.<layer>.key` and `.value`. Outputs: `logits` after all tokens, and
 * `present.<layer>.key` and `.value`.
 * @returns Names of the written files.
 * @throws StorageError `full`, `locked` or `io`; then `dir` has no complete model.
 */
export async function writeOnnx(
  store: FileStore,
  dir: string,
  source: OnnxSource,
): Promise<readonly string[]> {
  const { config } = source;
  const positions = config.max_position_embeddings;
  const program = decodeProgram(config, { kind: "base" }, "exported");
  const tables = positionTables(config, positions);
  const shapes = [...program.states.values()].filter(({ shared }) => shared);
  const places = new Map<string, { readonly file: string; readonly offset: number }>();
  let offset = 0;
  for (const { name, shape } of shapes) {
    places.set(name, { file: DATA, offset });
    // Sizes other than that of the tables are numbers.
    offset += shape.reduce<number>((all, size) => all * (typeof size === "number" ? size : positions), 4);
  }
  const graph = toOnnx(program, {
    free: Object.values(DECODE_SIZES),
    binding: { [POSITIONS]: positions },
    parameters: places,
    wide: [DECODE.ids, DECODE.mask, DECODE.positions],
    version: VERSION,
  });
  const [data, part] = [joinPath(dir, "onnx", DATA), joinPath(dir, "onnx", `${DATA}.part`)];
  for (const old of [joinPath(dir, "onnx", MODEL), part]) await store.remove(old);
  const weights = new Map(weightsOf(config).map((decl) => [baseName(decl.name), decl]));
  try {
    for (const [name, { offset: expected }] of places) {
      const decl = weights.get(name);
      const values = decl ? source.weights.get(decl.name) : tables.get(name);
      if (!values) throw new StorageError("io", data, `there are no weights of "${decl?.name ?? name}"`);
      const merged = decl && source.adapter ? values.slice() : values;
      if (decl && source.adapter) mergeInto(decl, merged, source.adapter);
      await store.append(part, bytesOf(merged), expected);
    }
    await store.rename(part, data);
  } catch (error) {
    await store.remove(part);
    throw error;
  }
  const files = await companions(source);
  for (const [name, bytes] of files) await store.write(joinPath(dir, name), bytes);
  await store.write(joinPath(dir, "onnx", MODEL), graph);
  return [`onnx/${MODEL}`, `onnx/${DATA}`, ...files.keys()];
}

/** `config.json`, `generation_config.json` and the tokenizer's files. */
async function companions({
  config,
  tokenizer,
  folder,
}: OnnxSource): Promise<ReadonlyMap<string, Uint8Array>> {
  const { eos_token_id = null, pad_token_id = null } = tokenizer instanceof AbsentTokenizer ? {} : tokenizer;
  const tokens = { bos_token_id: null, eos_token_id, pad_token_id };
  const own = folder && (await readJson(folder, CONFIG, z.looseObject({})));
  const files = new Map([
    [
      CONFIG,
      configBytes({
        ...(own ?? writeConfig(config, tokens)),
        "transformers.js_config": { use_external_data_format: true },
      }),
    ],
    [GENERATION, (await folder?.readFile(GENERATION)) ?? jsonBytes(tokens)],
  ]);
  return new Map([...files, ...(await companionFiles({ tokenizer, folder }))]);
}
