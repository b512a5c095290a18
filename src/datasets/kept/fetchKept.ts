/** Data sets of the hub into those that a browser keeps. */
import type { FileStore } from "../../storage/index.ts";
import { alone } from "../alone.ts";
import { DatasetError } from "../DatasetError.ts";
import { FILES, folderOf, MAIN_FILE, requireDatasetId } from "../hub/datasetId.ts";
import { type HubOptions, hubFolder } from "../hub/hubDataset.ts";
import { openDataset } from "../openDataset.ts";
import { blobOf, KeptDatasets } from "./KeptDatasets.ts";
import { KEPT_DIRECTORY, type KeptDataset } from "./keptDataset.ts";

/** Where files lie until they are whole. */
const ROOT = `${KEPT_DIRECTORY}/hub`;

/**
 * The kept data set of an id; fetched where it is not there and `remote` is true. Of two tabs that fetch one id, the
 * second waits for the first.
 * @throws DatasetError as `hubFolder`, and for a file that is no data set, of which nothing is left.
 */
export async function fetchKept(
  id: string,
  store: FileStore,
  options: Omit<HubOptions, "root" | "store"> = {},
): Promise<KeptDataset> {
  requireDatasetId(id);
  const shelf = new KeptDatasets(store);
  return alone(`dataset hub ${id}`, async () => {
    const known = await shelf.ofHub(id);
    if (known) return known;
    if (!options.remote)
      throw new DatasetError(
        id,
        `is not in the cache (${KEPT_DIRECTORY}); set remote: true to fetch it, or fetch it on the page Data`,
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
      // Of a Blob the hash is always calculated.
      const sha256 = dataset.sha256 ?? "";
      const episodes = dataset.episodes().length;
      dataset.close();
      return await shelf.adopt(
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
      // What came of a download that broke off is gone on with.
      if (!(await store.exists(`${folder}/${MAIN_FILE}.part`))) await store.remove(folder);
    }
  });
}
