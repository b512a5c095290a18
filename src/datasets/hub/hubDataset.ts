/** Data sets of the hub, from the cache or downloaded into it. */
import { type DownloadEvent, download, hubAddress } from "../../hub/index.ts";
import { alone, defaultStore } from "../../storage/files.ts";
import type { FileStore } from "../../storage/index.ts";
import { DatasetError } from "../DatasetError.ts";
import { requireSignature } from "../files/hdf5.ts";
import { addressOf, cacheRoot, FILES, folderOf, MAIN_FILE, requireDatasetId } from "./datasetId.ts";

export interface HubOptions {
  /** Whether to download a data set that is not cached (default: false). */
  readonly remote?: boolean;
  /** Address of another hub. Defaults to RLKIT_HUB, or Hugging Face. */
  readonly hub?: string | null;
  /**
   * Cache folder. Defaults to Minari's folder in Node, and in a browser to the origin's private file system.
   */
  readonly root?: string;
  readonly store?: FileStore;
  readonly onEvent?: (event: DownloadEvent) => void;
  readonly stall_ms?: number;
  /** Cancels a download. The bytes received so far are kept, so that a later download can resume. */
  readonly signal?: AbortSignal;
}

/**
 * The cache folder of a data set, which contains its `metadata.json` and `main_data.hdf5`.
 * @throws DatasetError for an invalid id, for a data set that is not cached while `remote` is
 *   false, or for a failed download.
 */
export async function hubFolder(id: string, options: HubOptions = {}): Promise<string> {
  const { remote = false, root = cacheRoot(), hub = null } = options;
  requireDatasetId(id);
  const folder = folderOf(root, id);
  const store = options.store ?? (await defaultStore());
  return alone(`dataset ${folder}`, async () => {
    if (await store.exists(`${folder}/${MAIN_FILE}`)) return folder;
    if (!remote)
      throw new DatasetError(
        id,
        `is not in the cache (${folder}); set remote: true to fetch it, or run rlkit data fetch ${id}`,
      );
    for (const file of FILES) await fetchFile(id, file, { folder, store, hub: hubAddress(hub), options });
    return folder;
  });
}

interface Fetching {
  readonly folder: string;
  readonly store: FileStore;
  readonly hub: string;
  readonly options: HubOptions;
}

async function fetchFile(id: string, file: string, { folder, store, hub, options }: Fetching): Promise<void> {
  const address = addressOf(id, file, hub);
  const { onEvent, stall_ms, signal } = options;
  const ofMain = {
    ...(onEvent ? { onEvent } : {}),
    // Detects an error page sent in place of the file before downloading the rest of it.
    requireHead: (head: Uint8Array) => requireSignature(head, address),
  };
  await download(address, `${folder}/${file}`, {
    store,
    error: (message, more) => new DatasetError(id, message, more),
    ...(file === MAIN_FILE ? ofMain : {}),
    ...(stall_ms === undefined ? {} : { stall_ms }),
    ...(signal === undefined ? {} : { signal }),
  });
}
