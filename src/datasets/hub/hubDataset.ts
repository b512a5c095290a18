/** Data sets of the hub, from the cache or fetched into it. */
import { defaultStore } from "../../storage/defaultStore.ts";
import type { FileStore } from "../../storage/index.ts";
import { alone } from "../alone.ts";
import { DatasetError } from "../DatasetError.ts";
import { requireSignature } from "../files/hdf5.ts";
import {
  addressOf,
  cacheRoot,
  FILES,
  folderOf,
  hubAddress,
  MAIN_FILE,
  requireDatasetId,
} from "./datasetId.ts";
import { type DownloadEvent, download } from "./download.ts";

export interface HubOptions {
  /** Whether what is not cached is fetched; false unless given. */
  readonly remote?: boolean;
  /** Another hub's address; RLKIT_HUB, or Hugging Face, unless given. */
  readonly hub?: string | null;
  /** Where the cache lies; Minari's folder in Node, the page's private files in a browser unless given. */
  readonly root?: string;
  readonly store?: FileStore;
  readonly onEvent?: (event: DownloadEvent) => void;
  readonly stall_ms?: number;
  /** Ends a download; what came of the file stays for the next one. */
  readonly signal?: AbortSignal;
}

/**
 * The folder of a data set in the cache, which has its `metadata.json` and `main_data.hdf5`.
 * @throws DatasetError for what is no id, is not cached while `remote` is false, or cannot be fetched.
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
    // A page that says why there is no file is told from one before more of it comes.
    requireHead: (head: Uint8Array) => requireSignature(head, address),
  };
  await download(address, `${folder}/${file}`, id, {
    store,
    ...(file === MAIN_FILE ? ofMain : {}),
    ...(stall_ms === undefined ? {} : { stall_ms }),
    ...(signal === undefined ? {} : { signal }),
  });
}
