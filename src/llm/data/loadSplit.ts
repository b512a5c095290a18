/** The rows that a manifest's environment names. */

import { meant } from "../../specs/explainName.ts";
import type { DatasetEnvSpec, RolloutEnvSpec } from "../../specs/LLMEnvSpec.ts";
import { nearest } from "../../specs/nearest.ts";
import { builtInDataset, listDatasets } from "./builtin/registry.ts";
import { readRows, renameColumns, requireReadable } from "./rows.ts";
import { type SplitRows, splitRows } from "./split.ts";

/** Gives the text of a file. */
export type ReadText = (path: string) => string | PromiseLike<string>;

/**
 * @param readText Absent where files cannot be read.
 * @throws Error for data sets of the hub and formats that are not read, with what to use instead, and for rows that are
 *   not as they should be.
 */
export async function loadSplit(
  spec: RolloutEnvSpec | DatasetEnvSpec,
  readText?: ReadText,
): Promise<SplitRows> {
  const instead = `download its rows as JSON, JSONL or CSV and name the file by dataset_path, or take a built-in one: ${listDatasets().join(", ")}`;
  if (spec.hf_dataset_id !== null)
    throw new Error(`hf_dataset_id: found "${spec.hf_dataset_id}"; the hub is not supported; ${instead}`);
  const key = spec.dataset === null ? "dataset_path" : "dataset";
  const name = spec.dataset ?? spec.dataset_path ?? "";
  const columns = spec.columns ?? {};
  const builtIn = builtInDataset(name);
  if (builtIn !== undefined)
    return {
      train: renameColumns(builtIn.train, columns, name),
      test: renameColumns(builtIn.test, columns, name),
    };
  if (!/\.[a-z]+$/i.test(name))
    throw new Error(
      `${key}: found "${name}", which is no file${meant(nearest(name, listDatasets()))}; the hub is not supported; ${instead}`,
    );
  requireReadable(name);
  if (readText === undefined)
    throw new Error(
      `${key}: found "${name}"; files are not read here; take a built-in one: ${listDatasets().join(", ")}`,
    );
  const rows = renameColumns(readRows(await readText(name), name), columns, name);
  if (rows.length === 0) throw new Error(`${name}: found no rows, allowed at least one`);
  return splitRows(rows, spec.train_test_split ?? 0.9);
}
