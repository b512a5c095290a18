/** Folders of models as transformers writes them: `config.json` beside weights in one or several safetensors files. */
import { z } from "zod";
import {
  encodeSafetensors,
  readFloats,
  StorageError,
  type StoredTensor,
  safetensorsHeader,
  type TensorPlace,
} from "../../storage/index.ts";
import { type Folder, jsonBytes, placeOf, readJson } from "../files/Folder.ts";
import { type ModelConfig, type WeightDecl, weightsOf } from "./ModelConfig.ts";
import { parseConfig } from "./parseConfig.ts";
import { embeddingName, OUTPUT_LAYER, shapesOf, weightName } from "./weightNames.ts";
import { type ConfigTokens, writeConfig } from "./writeConfig.ts";

const CONFIG = "config.json";
const WEIGHTS = "model.safetensors";
const INDEX = "model.safetensors.index.json";

/** Values by the names of {@link weightsOf}, in its order. */
export type ModelWeights = ReadonlyMap<string, Float32Array>;

export interface LoadedModel {
  readonly config: ModelConfig;
  readonly weights: ModelWeights;
}

/** File names are plain: a part of a model lies beside its index. */
const index = z.looseObject({
  weight_map: z.record(z.string(), z.string().regex(/^[^/\\]+$/, "allowed names of files beside this one")),
});

/**
 * Reads a model of F32, F16, BF16 or F64, whose names and shapes must be exactly those of its `config.json`. What hub
 * files have otherwise is understood: names without the prefix `transformer.` or `model.`, buffers of attention masks and
 * rotary embeddings, and an output layer beside the embedding that it is tied to.
 * @throws SpecError for a config that is not supported. StorageError `not_found` for a file that is missing, `corrupt` for
 *   tensors that are damaged, missing, surplus, of another shape, or no floating-point numbers.
 */
export async function loadModel(folder: Folder): Promise<LoadedModel> {
  const content = await readJson(folder, CONFIG, z.unknown());
  if (content === null)
    throw missing(folder, CONFIG, "a folder that transformers saved has one; check the path");
  const config = parseConfig(content, placeOf(folder, CONFIG));
  return { config, weights: await loadWeights(folder, config) };
}

async function loadWeights(folder: Folder, config: ModelConfig): Promise<ModelWeights> {
  const shapes = shapesOf(config);
  const found = new Map<string, Float32Array>();
  for await (const { file, bytes, places } of weightFiles(folder)) {
    for (const place of places) {
      const name = weightName(config, shapes, place.name);
      if (name === null) continue;
      if (found.has(name)) throw new StorageError("corrupt", file, `has "${name}" twice; take another copy`);
      requireShape(place, shapes.get(name), file);
      found.set(name, readFloats(bytes, place, file));
    }
  }
  const file = placeOf(folder, WEIGHTS);
  if (config.tie_word_embeddings) requireTied(found, embeddingName(config.family), file);
  return complete(found, weightsOf(config), file);
}

function requireShape({ name, shape }: TensorPlace, allowed: readonly number[] | undefined, file: string) {
  if (allowed === undefined)
    throw new StorageError("corrupt", file, `has "${name}", which a model of ${CONFIG} has not`);
  if (shape.length === allowed.length && shape.every((size, axis) => size === allowed[axis])) return;
  const [is, due] = [shape, allowed].map((sizes) => `[${sizes.join(", ")}]`);
  throw new StorageError("corrupt", file, `"${name}" has shape ${is}, where ${CONFIG} asks for ${due}`);
}

/** An output layer of its own where the config ties it: one of the two would be lost. */
function requireTied(found: ReadonlyMap<string, Float32Array>, embedding: string, file: string): void {
  const [output, tied] = [found.get(OUTPUT_LAYER), found.get(embedding)];
  if (!output || !tied || output.every((value, i) => Object.is(value, tied[i]))) return;
  throw new StorageError(
    "corrupt",
    file,
    `"${OUTPUT_LAYER}" differs from "${embedding}", but ${CONFIG} says tie_word_embeddings: true; set it to false`,
  );
}

/** Names that a message has, the rest is counted. */
const MOST_NAMED = 5;

function complete(
  found: ReadonlyMap<string, Float32Array>,
  weights: readonly WeightDecl[],
  file: string,
): ModelWeights {
  const inOrder = new Map<string, Float32Array>();
  const absent: string[] = [];
  for (const { name } of weights) {
    const data = found.get(name);
    if (data === undefined) absent.push(name);
    else inOrder.set(name, data);
  }
  if (absent.length === 0) return inOrder;
  const more = absent.length > MOST_NAMED ? ` and ${absent.length - MOST_NAMED} more` : "";
  const names = absent.slice(0, MOST_NAMED).join(", ");
  throw new StorageError("corrupt", file, `lacks ${names}${more}, which ${CONFIG} asks for`);
}

interface WeightFile {
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly places: readonly TensorPlace[];
}

/** The files with weights, one after the other, so that memory holds the bytes of one. */
async function* weightFiles(folder: Folder): AsyncGenerator<WeightFile> {
  const whole = await folder.readFile(WEIGHTS);
  if (whole !== null) {
    const file = placeOf(folder, WEIGHTS);
    yield { file, bytes: whole, places: safetensorsHeader(whole, file).places };
    return;
  }
  const parts = await readJson(folder, INDEX, index);
  if (parts === null)
    throw missing(
      folder,
      WEIGHTS,
      `and no ${INDEX}; save the model as safetensors: model.save_pretrained(path)`,
    );
  const map = new Map(Object.entries(parts.weight_map));
  for (const name of new Set(map.values())) yield await part(folder, name, map);
}

/** One file of several, which must have what the index says. */
async function part(folder: Folder, name: string, map: ReadonlyMap<string, string>): Promise<WeightFile> {
  const bytes = await folder.readFile(name);
  if (bytes === null) throw missing(folder, name, `which ${INDEX} names; take a whole copy of the folder`);
  const file = placeOf(folder, name);
  const { places } = safetensorsHeader(bytes, file);
  const present = new Set(places.map((place) => place.name));
  const stray = [...present].find((tensor) => map.get(tensor) !== name);
  const lost = [...map].find(([tensor, home]) => home === name && !present.has(tensor))?.[0];
  if (stray !== undefined || lost !== undefined) {
    const what = stray === undefined ? `lacks "${lost}"` : `has "${stray}"`;
    throw new StorageError("corrupt", file, `${what}, against ${INDEX}; take a whole copy of the folder`);
  }
  return { file, bytes, places };
}

const missing = (folder: Folder, name: string, advice: string): StorageError =>
  new StorageError("not_found", placeOf(folder, name), `no such file; ${advice}`);

/**
 * The files of a model trained whole, by their names: `config.json` and `model.safetensors` in F32, which
 * {@link loadModel} and transformers read.
 * @throws StorageError `io` for weights that are not those of the config.
 */
export function modelFiles(
  config: ModelConfig,
  weights: ModelWeights,
  tokens?: ConfigTokens,
): Map<string, Uint8Array> {
  const tensors = weightsOf(config).map(({ name, shape }): [string, StoredTensor] => {
    const data = weights.get(name);
    if (data === undefined) throw new StorageError("io", WEIGHTS, `there are no weights of "${name}"`);
    return [name, { shape, data }];
  });
  return new Map([
    [CONFIG, jsonBytes(writeConfig(config, tokens))],
    [WEIGHTS, encodeSafetensors(tensors, { format: "pt" })],
  ]);
}
