/** Loads the rows of a manifest's environment. */
import type { DatasetEnvSpec, RolloutEnvSpec } from "../../specs/sections.ts";
import { builtInDataset, listDatasets } from "./builtin/registry.ts";
import { datasetNamed, requireLoadable } from "./requireLoadable.ts";
import { readRows, renameColumns } from "./rows.ts";
import { type SplitRows, splitRows } from "./split.ts";

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
