/**
 * The safetensors files of a model: one file, or several with an index. Names of weights differ between hub files and
 * versions of transformers.
 */
import { z } from "zod";
import {
  type BinaryFile,
  readSafetensorsHeader,
  StorageError,
  type TensorPlace,
} from "../../storage/index.ts";
import { type Folder, missingFile, placeOf, readJson } from "../files/Folder.ts";
import { familyOf, OUTPUT_LAYER } from "./families.ts";
import { type ModelConfig, weightsOf } from "./ModelConfig.ts";

/**
 * Constants that old versions stored with the weights: causal masks, and wavelengths of rotary embeddings.
 */
const BUFFERS = /(^|\.)(h\.\d+\.attn\.(bias|masked_bias)|rotary_emb\.inv_freq)$/;

/** Shapes by the names from `weightsOf`, including a tied output layer. */
export function shapesOf(config: ModelConfig): ReadonlyMap<string, readonly number[]> {
  const { vocab_size, hidden_size, tie_word_embeddings } = config;
  const shapes = new Map(weightsOf(config).map(({ name, shape }) => [name, shape]));
  return tie_word_embeddings ? shapes.set(OUTPUT_LAYER, [vocab_size, hidden_size]) : shapes;
}

/**
 * Maps a name in a file to the name from `weightsOf`, also for a model saved without
 * its head; `null` for a buffer.
 */
export function weightName(
  config: ModelConfig,
  shapes: ReadonlyMap<string, unknown>,
  nameInFile: string,
): string | null {
  if (BUFFERS.test(nameInFile)) return null;
  const prefixed = `${familyOf(config).root}.${nameInFile}`;
  return !shapes.has(nameInFile) && shapes.has(prefixed) ? prefixed : nameInFile;
}

/** File name of weights in a single file. */
export const WEIGHTS = "model.safetensors";
export const INDEX = "model.safetensors.index.json";

/** File names must not contain a path: a model's parts are beside its index. */
export const index = z.looseObject({
  weight_map: z.record(z.string(), z.string().regex(/^[^/\\]+$/, "allowed names of files next to this one")),
});

interface WeightFile {
  /** Its path in errors. */
  readonly file: string;
  readonly data: BinaryFile;
  readonly places: readonly TensorPlace[];
}

/** Yields the weight files, of which only the headers have been read. */
export async function* weightFiles(folder: Folder): AsyncGenerator<WeightFile> {
  const whole = await folder.openFile(WEIGHTS);
  if (whole !== null) {
    const file = placeOf(folder, WEIGHTS);
    const { places } = await readSafetensorsHeader(whole, file);
    yield { file, data: whole, places };
    return;
  }
  const parts = await readJson(folder, INDEX, index);
  if (parts === null)
    throw missingFile(
      folder,
      WEIGHTS,
      `and no ${INDEX}; save the model as safetensors: model.save_pretrained(path)`,
    );
  const map = new Map(Object.entries(parts.weight_map));
  for (const name of new Set(map.values())) yield await part(folder, name, map);
}

/** Opens one of several files, and checks it against the index. */
async function part(folder: Folder, name: string, map: ReadonlyMap<string, string>): Promise<WeightFile> {
  const data = await folder.openFile(name);
  if (data === null)
    throw missingFile(folder, name, `which ${INDEX} names; use a complete copy of the folder`);
  const file = placeOf(folder, name);
  const { places } = await readSafetensorsHeader(data, file);
  const present = new Set(places.map((place) => place.name));
  const stray = [...present].find((tensor) => map.get(tensor) !== name);
  const lost = [...map].find(([tensor, home]) => home === name && !present.has(tensor))?.[0];
  if (stray !== undefined || lost !== undefined) {
    const what = stray === undefined ? `lacks "${lost}"` : `has "${stray}"`;
    throw new StorageError("corrupt", file, `${what}, against ${INDEX}; use a complete copy of the folder`);
  }
  return { file, data, places };
}
