/** Loads the rows of a manifest's environment. */

import { FieldError } from "../../specs/checks.ts";
import { meant, nearest } from "../../specs/messages.ts";
import { type DatasetEnvSpec, type RolloutEnvSpec, TEXT_DATASETS } from "../../specs/sections.ts";
import { builtInDataset, listDatasets, type SplitRows, splitRows } from "./builtin.ts";
import { readRows, renameColumns, rowFormatOf } from "./rows.ts";

/** Name of a manifest's data set, and the key that sets it. */
const datasetNamed = ({ dataset, dataset_path }: RolloutEnvSpec | DatasetEnvSpec) => ({
  key: dataset === null ? "dataset_path" : "dataset",
  name: dataset ?? dataset_path ?? "",
});

/**
 * @throws FieldError or Error for unsupported formats and data sets of the hub, with an alternative, and for a name that is
 *   neither built in nor a file.
 */
export function requireLoadable(spec: RolloutEnvSpec | DatasetEnvSpec): void {
  const instead = `download its rows as JSON, JSONL or CSV and name the file in dataset_path, or use a built-in one: ${TEXT_DATASETS.join(", ")}`;
  if (spec.hf_dataset_id !== null)
    throw new FieldError(
      "hf_dataset_id",
      `found "${spec.hf_dataset_id}"; the hub is not supported; ${instead}`,
    );
  const { key, name } = datasetNamed(spec);
  if (TEXT_DATASETS.some((id) => id === name)) return;
  if (!/\.[a-z]+$/i.test(name))
    throw new FieldError(
      key,
      `found "${name}", which is not a file${meant(nearest(name, TEXT_DATASETS))}; the hub is not supported; ${instead}`,
    );
  rowFormatOf(name);
}

/** Reads the text of a file. */
export type ReadText = (path: string) => string | PromiseLike<string>;

/**
 * @param readText Omit it where files cannot be read.
 * @throws Error for unsupported formats and data sets of the hub, with an alternative, and for invalid rows.
 */
export async function loadSplit(
  spec: RolloutEnvSpec | DatasetEnvSpec,
  readText?: ReadText,
): Promise<SplitRows> {
  requireLoadable(spec);
  const { key, name } = datasetNamed(spec);
  const columns = spec.columns ?? {};
  const builtIn = builtInDataset(name);
  if (builtIn !== undefined)
    return {
      train: renameColumns(builtIn.train, columns, name),
      test: renameColumns(builtIn.test, columns, name),
    };
  if (readText === undefined)
    throw new Error(
      `${key}: found "${name}"; files cannot be read here; use a built-in data set: ${listDatasets().join(", ")}`,
    );
  const rows = renameColumns(readRows(await readText(name), name), columns, name);
  if (rows.length === 0) throw new Error(`${name}: found no rows, allowed at least one`);
  return splitRows(rows, spec.train_test_split ?? 0.9);
}
