/** The safetensors files of a model: one file, or several with an index. */
import { z } from "zod";
import { StorageError, safetensorsHeader, type TensorPlace } from "../../storage/index.ts";
import { type Folder, missingFile, placeOf, readJson } from "../files/Folder.ts";

/** File name of weights in a single file. */
export const WEIGHTS = "model.safetensors";
const INDEX = "model.safetensors.index.json";

/** File names must not contain a path: a model's parts are beside its index. */
const index = z.looseObject({
  weight_map: z.record(z.string(), z.string().regex(/^[^/\\]+$/, "allowed names of files next to this one")),
});

export interface WeightFile {
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly places: readonly TensorPlace[];
}

/** Yields the weight files one at a time, so that memory holds only one. */
export async function* weightFiles(folder: Folder): AsyncGenerator<WeightFile> {
  const whole = await folder.readFile(WEIGHTS);
  if (whole !== null) {
    const file = placeOf(folder, WEIGHTS);
    yield { file, bytes: whole, places: safetensorsHeader(whole, file).places };
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

/** Reads one of several files, and checks it against the index. */
async function part(folder: Folder, name: string, map: ReadonlyMap<string, string>): Promise<WeightFile> {
  const bytes = await folder.readFile(name);
  if (bytes === null)
    throw missingFile(folder, name, `which ${INDEX} names; use a complete copy of the folder`);
  const file = placeOf(folder, name);
  const { places } = safetensorsHeader(bytes, file);
  const present = new Set(places.map((place) => place.name));
  const stray = [...present].find((tensor) => map.get(tensor) !== name);
  const lost = [...map].find(([tensor, home]) => home === name && !present.has(tensor))?.[0];
  if (stray !== undefined || lost !== undefined) {
    const what = stray === undefined ? `lacks "${lost}"` : `has "${stray}"`;
    throw new StorageError("corrupt", file, `${what}, against ${INDEX}; use a complete copy of the folder`);
  }
  return { file, bytes, places };
}
