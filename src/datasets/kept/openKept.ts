/** Opens data sets stored in the browser. */
import type { Dataset } from "../Dataset.ts";
import { DatasetError } from "../DatasetError.ts";
import { MAIN_FILE } from "../hub/datasetId.ts";
import { openDataset } from "../openDataset.ts";
import type { KeptDatasets } from "./KeptDatasets.ts";
import { type KeptDataset, keptPath } from "./keptDataset.ts";

/** Opens a data set without recalculating its hash. @throws DatasetError for a table, or a damaged file. */
export async function openKept(shelf: KeptDatasets, kept: KeptDataset): Promise<Dataset> {
  const source = keptPath(kept);
  if (kept.kind !== "episodes")
    throw new DatasetError(source, "is a table for bandits, allowed a data set of episodes");
  const metadata = await shelf.text(kept, "metadata.json");
  return openDataset(await shelf.file(kept, MAIN_FILE), { source, metadata, sha256: kept.sha256 });
}
