/** Loads the rows of a manifest's environment. */

import { hubIdOf } from "../../hub/index.ts";
import { FieldError } from "../../specs/checks.ts";
import { meant, nearest } from "../../specs/messages.ts";
import { type DatasetEnvSpec, type RolloutEnvSpec, TEXT_DATASETS } from "../../specs/sections.ts";
import { type FileStore, joinPath } from "../../storage/index.ts";
import { builtInDataset, listDatasets, type SplitRows, splitRows } from "./builtin.ts";
import { cachedHubRows } from "./hubRows.ts";
import { type Row, readRowFile, readRows, renameColumns, rowFormatOf } from "./rows.ts";

/** Name of a manifest's data set, and the key that sets it. */
const datasetNamed = ({ dataset, dataset_path }: RolloutEnvSpec | DatasetEnvSpec) => ({
  key: dataset === null ? "dataset_path" : "dataset",
  name: dataset ?? dataset_path ?? "",
});

/**
 * @throws FieldError or Error for unsupported formats and invalid ids of the hub, with an alternative, and for a name that
 *   is neither built in nor a file.
 */
export function requireLoadable(spec: RolloutEnvSpec | DatasetEnvSpec): void {
  const { key, name } = datasetNamed(spec);
  if (spec.hf_dataset_id !== null) {
    if (name !== "") throw new FieldError("hf_dataset_id", `given together with ${key}; keep one of the two`);
    if (hubIdOf(spec.hf_dataset_id)) return;
    throw new FieldError(
      "hf_dataset_id",
      `found "${spec.hf_dataset_id}", allowed an id of the hub: OWNER/NAME or OWNER/NAME@REVISION`,
    );
  }
  if (TEXT_DATASETS.some((id) => id === name)) return;
  if (!/\.[a-z]+$/i.test(name))
    throw new FieldError(
      key,
      `found "${name}", which is not a file${meant(nearest(name, TEXT_DATASETS))}; name a file of rows in dataset_path, a data set of the hub in hf_dataset_id, or a built-in one: ${TEXT_DATASETS.join(", ")}`,
    );
  rowFormatOf(name);
}

/** Reads the text of a file. */
export type ReadText = (path: string) => string | PromiseLike<string>;

/** What reads the files that a manifest names. Leave out both where files cannot be read. */
export interface RowSource {
  /** Reads files of text; takes precedence over the store. */
  readonly readText?: ReadText;
  /** The store of the files, and of the hub's cache. */
  readonly store?: FileStore;
}

/** The function that reads texts; `undefined` where files cannot be read. */
export const textReader = ({ readText, store }: RowSource): ReadText | undefined =>
  readText ?? (store && (async (path) => new TextDecoder().decode(await store.read(path))));

/**
 * @throws Error for unsupported formats, for data sets of the hub that are not in the cache, and for invalid rows.
 */
export async function loadSplit(
  spec: RolloutEnvSpec | DatasetEnvSpec,
  source: RowSource = {},
): Promise<SplitRows> {
  requireLoadable(spec);
  const { name } = datasetNamed(spec);
  const columns = spec.columns ?? {};
  const builtIn = spec.hf_dataset_id === null ? builtInDataset(name) : undefined;
  if (builtIn !== undefined)
    return {
      train: renameColumns(builtIn.train, columns, name),
      test: renameColumns(builtIn.test, columns, name),
    };
  const place = spec.hf_dataset_id ?? name;
  const given = await (spec.hf_dataset_id === null ? fileRows(spec, source) : hubRows(spec, source));
  const rows = renameColumns(given, columns, place);
  if (rows.length === 0) throw new Error(`${place}: found no rows, allowed at least one`);
  return splitRows(rows, spec.train_test_split ?? 0.9);
}

async function fileRows(
  spec: RolloutEnvSpec | DatasetEnvSpec,
  { readText, store }: RowSource,
): Promise<readonly Row[]> {
  const { key, name } = datasetNamed(spec);
  if (readText && rowFormatOf(name) !== "parquet") return readRows(await readText(name), name);
  if (store) return readRowFile(await store.blob(name), name);
  if (readText) throw new Error(`${key}: found "${name}", whose bytes are needed; give the option store`);
  throw new Error(
    `${key}: found "${name}"; files cannot be read here; use a built-in data set: ${listDatasets().join(", ")}`,
  );
}

async function hubRows(spec: RolloutEnvSpec | DatasetEnvSpec, { store }: RowSource): Promise<readonly Row[]> {
  const id = spec.hf_dataset_id ?? "";
  const cached = store ? await cachedHubRows(spec, store) : null;
  if (!store || !cached)
    throw new FieldError(
      "hf_dataset_id",
      `found "${id}", which is not in the cache; fetch it first (rlkit models fetch --dataset ${id})`,
    );
  const rows: Row[] = [];
  for (const { path } of cached.files)
    for (const row of await readRowFile(await store.blob(joinPath(cached.folder, path)), `${id}/${path}`))
      rows.push(row);
  return rows;
}
