/** A base model with an adapter added to its weights: a model of its own, for programs that read no adapters. */
import { toHalfFloats } from "../../storage/files.ts";
import {
  type BinaryFile,
  baseName,
  type FileDtype,
  type FileStore,
  joinPath,
  readFloats,
  StorageError,
  type TensorPlace,
} from "../../storage/index.ts";
import type { Folder } from "../files/Folder.ts";
import { embeddingName, OUTPUT_LAYER } from "../models/families.ts";
import { type ModelConfig, type WeightDecl, weightsOf } from "../models/ModelConfig.ts";
import type { ModelWeights } from "../models/modelFiles.ts";
import { INDEX, shapesOf, weightFiles, weightName } from "../models/weightFiles.ts";
import { COMPANION_FILES } from "../tokenizers/companionFiles.ts";
import { type MergedAdapter, mergeInto } from "./mergedWeight.ts";

/** The nearest bfloat16, with ties to even. */
function toBrainFloats(floats: Float32Array): Uint16Array<ArrayBuffer> {
  const bits = new Uint32Array(floats.buffer, floats.byteOffset, floats.length);
  const halves = new Uint16Array(floats.length);
  for (let i = 0; i < halves.length; i++) {
    const word = bits[i] ?? 0;
    const isNaN = (word & 0x7fff_ffff) > 0x7f80_0000;
    halves[i] = isNaN ? (word >>> 16) | 0x40 : (word + 0x7fff + ((word >>> 16) & 1)) >>> 16;
  }
  return halves;
}

function encoded(values: Float32Array, dtype: FileDtype): Uint8Array {
  const data =
    dtype === "BF16"
      ? toBrainFloats(values)
      : dtype === "F16"
        ? toHalfFloats(values)
        : dtype === "F64"
          ? Float64Array.from(values)
          : values;
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

/** Bytes copied at a time. */
const BLOCK = 2 ** 23;

async function* bytesOf(file: BinaryFile, from: number, to: number): AsyncGenerator<Uint8Array> {
  for (let at = from; at < to; at += BLOCK)
    yield new Uint8Array(await file.slice(at, Math.min(to, at + BLOCK)).arrayBuffer());
}

/** What a member has learned: an adapter, or all weights of the model. */
type Learned = MergedAdapter | ModelWeights;

const targetsOf = (learned: Learned): readonly string[] =>
  "targets" in learned ? learned.targets : [...learned.keys()];

function merge(weight: WeightDecl, values: Float32Array, learned: Learned): void {
  if ("targets" in learned) mergeInto(weight, values, learned);
  else values.set(learned.get(weight.name) ?? []);
}

/** The bytes of a file of weights with what was learned: the same tensors in the same types and places. */
async function* mergedBytes(
  {
    data,
    places,
    file,
  }: { readonly data: BinaryFile; readonly places: readonly TensorPlace[]; readonly file: string },
  config: ModelConfig,
  learned: Learned,
  merged: Set<string>,
): AsyncGenerator<Uint8Array> {
  const shapes = shapesOf(config);
  const targets = new Set(targetsOf(learned));
  const weights = new Map(weightsOf(config).map((weight) => [weight.name, weight]));
  let written = 0;
  for (const place of places) {
    const name = weightName(config, shapes, place.name);
    // A file may have the output layer in addition to the embedding that it is tied to.
    const isTied = name === OUTPUT_LAYER && config.tie_word_embeddings;
    const weight = weights.get(isTied ? embeddingName(config) : (name ?? ""));
    if (!weight || !targets.has(weight.name)) continue;
    yield* bytesOf(data, written, place.begin);
    const bytes = new Uint8Array(await data.slice(place.begin, place.end).arrayBuffer());
    const values = readFloats(bytes, { ...place, begin: 0, end: bytes.length }, file);
    merge(weight, values, learned);
    yield encoded(values, place.dtype);
    written = place.end;
    merged.add(weight.name);
  }
  yield* bytesOf(data, written, data.size);
}

const GENERATION = "generation_config.json";
const CONFIG = "config.json";

/**
 * Writes a base's folder with an adapter added to its weights, or with other weights, in the types of its files. Memory
 * holds one weight at a time. `config.json` is written last, so that an incomplete directory is not taken for a model.
 * @param dir An empty directory, or one that is not there.
 * @returns the names of the files.
 * @throws StorageError for a directory that is not empty, files of the base that are missing or damaged, a full disk; then
 *   nothing is left in the directory.
 */
export async function writeMerged(
  base: Folder,
  config: ModelConfig,
  learned: Learned,
  { store, dir }: { readonly store: FileStore; readonly dir: string },
): Promise<readonly string[]> {
  await requireEmpty(store, dir);
  const names: string[] = [];
  const merged = new Set<string>();
  try {
    for await (const file of weightFiles(base)) {
      const name = baseName(file.file);
      names.push(name);
      for await (const bytes of mergedBytes(file, config, learned, merged))
        await store.append(joinPath(dir, name), bytes);
    }
    const lost = targetsOf(learned).find((target) => !merged.has(target));
    if (lost !== undefined)
      throw new StorageError("corrupt", base.path, `lacks "${lost}", which training changes`);
    for (const name of [INDEX, GENERATION, ...COMPANION_FILES, CONFIG]) {
      const bytes = await base.readFile(name);
      if (bytes === null) continue;
      await store.write(joinPath(dir, name), bytes);
      names.push(name);
    }
  } catch (error) {
    await store.remove(dir);
    throw error;
  }
  return names;
}

/** @throws StorageError for a directory with anything in it. */
export async function requireEmpty(store: FileStore, dir: string): Promise<void> {
  const found = await store.list(dir);
  if (found.length === 0) return;
  throw new StorageError("io", dir, `is not empty (it has ${found[0]?.name}); give a new directory`);
}
