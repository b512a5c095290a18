/** Downloads data sets of the hub into the browser's stored data sets. */
import { alone } from "../../storage/files.ts";
import type { FileStore } from "../../storage/index.ts";
import { DatasetError } from "../DatasetError.ts";
import { FILES, folderOf, MAIN_FILE, requireDatasetId } from "../hub/datasetId.ts";
import { type HubOptions, hubFolder } from "../hub/hubDataset.ts";
import { openDataset } from "../openDataset.ts";
import { blobOf, KeptDatasets } from "./KeptDatasets.ts";
import { KEPT_DIRECTORY, type KeptDataset } from "./keptDataset.ts";

/** Folder for files until they are complete. */
const ROOT = `${KEPT_DIRECTORY}/hub`;

/**
 * The stored data set of a hub id, downloaded if it is missing and `remote` is true. If two tabs fetch one
 * id, the second waits for the first.
 * @throws DatasetError as `hubFolder`, and for a file that is not a data set, which is then deleted.
 */
export async function fetchKept(
  id: string,
  store: FileStore,
  options: Omit<HubOptions, "root" | "store"> = {},
): Promise<KeptDataset> {
  requireDatasetId(id);
  const datasets = new KeptDatasets(store);
  return alone(`dataset hub ${id}`, async () => {
    const known = await datasets.ofHub(id);
    if (known) return known;
    if (!options.remote)
      throw new DatasetError(
        id,
        `is not in the cache (${KEPT_DIRECTORY}); set remote: true to fetch it, or fetch it on the Data page`,
      );
    const folder = folderOf(ROOT, id);
    const paths = FILES.map((name) => `${folder}/${name}`);
    try {
      await hubFolder(id, { ...options, root: ROOT, store });
      const metadata = new TextDecoder().decode(await store.read(`${folder}/metadata.json`));
      const dataset = await openDataset(await blobOf(store, `${folder}/${MAIN_FILE}`), {
        source: id,
        metadata,
      });
      const { environment, total_steps } = dataset;
      // For a Blob, the hash is always calculated.
      const sha256 = dataset.sha256 ?? "";
      const episodes = dataset.episodes().length;
      dataset.close();
      return await datasets.adopt(
        {
          name: id,
          sha256,
          kind: "episodes",
          origin: "fetched",
          hub_dataset_id: id,
          environment,
          rows: total_steps,
          episodes,
        },
        paths,
      );
    } finally {
      // Keep a part file, so that an interrupted download can resume.
      if (!(await store.exists(`${folder}/${MAIN_FILE}.part`))) await store.remove(folder);
    }
  });
}
