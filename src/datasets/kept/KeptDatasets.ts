/** Data sets stored in the browser. Each is stored once, even if added under several names. */
import { alone } from "../../storage/files.ts";
import { type BinaryFile, type FileStore, isStorageError, joinPath } from "../../storage/index.ts";
import type { Dataset } from "../Dataset.ts";
import { DatasetError } from "../DatasetError.ts";
import { MAIN_FILE } from "../hub/datasetId.ts";
import { openDataset } from "../openDataset.ts";
import {
  COMMIT_FILE,
  decodeKept,
  encodeKept,
  KEPT_DIRECTORY,
  KEPT_PREFIX,
  type KeptDataset,
  keptDirectory,
  keptPath,
} from "./keptDataset.ts";

/** Opens a data set without recalculating its hash. @throws DatasetError for a table, or a damaged file. */
export async function openKept(datasets: KeptDatasets, kept: KeptDataset): Promise<Dataset> {
  const source = keptPath(kept);
  if (kept.kind !== "episodes")
    throw new DatasetError(
      source,
      `is ${kept.kind === "table" ? "a table for bandits" : "text for language models"}, allowed a data set of episodes`,
    );
  const metadata = await datasets.text(kept, "metadata.json");
  return openDataset(await datasets.file(kept, MAIN_FILE), { source, metadata, sha256: kept.sha256 });
}

/** A file to be stored. */
export interface IncomingFile {
  readonly name: string;
  readonly content: BinaryFile;
}

/**
 * Record of a data set to add, without the file sizes and the time, which are determined when it is stored.
 */
export type IncomingDataset = Omit<KeptDataset, "files" | "added_at">;

/** Bytes written at a time. */
const BLOCK = 2 ** 23;
const ADDING = "datasets";

/** Turns a name into one that is valid for a folder, with its parts separated by slashes. */
const plainName = (name: string): string =>
  name
    .split("/")
    .map((part) => part.replace(/[^A-Za-z0-9_.-]+/g, "-").replace(/^[.-]+/, ""))
    .filter((part) => part !== "")
    .join("/")
    .slice(0, 128) || "dataset";

export class KeptDatasets {
  readonly #store: FileStore;
  readonly #now: () => number;

  /** @param now Milliseconds since the epoch. */
  constructor(store: FileStore, now: () => number = Date.now) {
    this.#store = store;
    this.#now = now;
  }

  /** All completely stored data sets, sorted by name. */
  async list(): Promise<readonly KeptDataset[]> {
    const found: KeptDataset[] = [];
    for (const { name, kind } of await this.#store.list(KEPT_DIRECTORY)) {
      const kept = kind === "directory" ? await this.get(name) : null;
      if (kept) found.push(kept);
    }
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** `null` if no complete data set is stored under that hash. @throws StorageError for a damaged record. */
  async get(sha256: string): Promise<KeptDataset | null> {
    const path = joinPath(keptDirectory({ sha256 }), COMMIT_FILE);
    if (!(await this.#store.exists(path))) return null;
    return decodeKept(await this.#store.read(path), path);
  }

  /**
   * Finds a data set by its path in a manifest: "datasets/" and its name or hash. `null` for other paths.
   * @throws DatasetError if there is no such data set.
   */
  async named(path: string): Promise<KeptDataset | null> {
    if (!path.startsWith(KEPT_PREFIX)) return null;
    const name = path.slice(KEPT_PREFIX.length);
    const all = await this.list();
    const found = all.find((kept) => kept.name === name || kept.sha256 === name);
    if (found) return found;
    throw new DatasetError(
      path,
      `is not stored in this browser; stored are: ${all.map(keptPath).join(", ") || "none"}. Add it on the Data page`,
    );
  }

  /** The data set downloaded from the hub under this id; `null` if there is none. */
  async ofHub(id: string): Promise<KeptDataset | null> {
    return (await this.list()).find(({ hub_dataset_id }) => hub_dataset_id === id) ?? null;
  }

  /**
   * Stores files under the hash of the data set. Adding the same data set again changes nothing. If the name
   * is taken, a number is appended.
   * @throws DatasetError if there is no room; then nothing is stored.
   */
  add(incoming: IncomingDataset, files: readonly IncomingFile[]): Promise<KeptDataset> {
    return this.#write(incoming, async (directory) => {
      for (const { name, content } of files) await this.#copy(content, joinPath(directory, name));
    });
  }

  /** Like `add`, for files that are already in the store; they are moved. */
  adopt(incoming: IncomingDataset, paths: readonly string[]): Promise<KeptDataset> {
    return this.#write(incoming, async (directory) => {
      for (const path of paths)
        await this.#store.rename(path, joinPath(directory, path.slice(path.lastIndexOf("/") + 1)));
    });
  }

  async remove(sha256: string): Promise<void> {
    await alone(ADDING, async () => {
      const directory = keptDirectory({ sha256 });
      // The commit file goes first, so that an interrupted removal leaves no data set.
      await this.#store.remove(joinPath(directory, COMMIT_FILE));
      await this.#store.remove(directory);
    });
  }

  /** A stored file, without copying it where the store allows. */
  async file(kept: KeptDataset, name: string): Promise<BinaryFile> {
    return blobOf(this.#store, joinPath(keptDirectory(kept), name));
  }

  /** The text of a stored file; `null` if there is no file of that name. */
  async text(kept: KeptDataset, name: string): Promise<string | null> {
    if (!kept.files.some(({ path }) => path === name)) return null;
    return new TextDecoder().decode(await this.#store.read(joinPath(keptDirectory(kept), name)));
  }

  #write(incoming: IncomingDataset, put: (directory: string) => Promise<void>): Promise<KeptDataset> {
    return alone(ADDING, async () => {
      const known = await this.get(incoming.sha256);
      if (known) return this.#alsoFetched(known, incoming);
      await this.#sweep();
      const directory = keptDirectory(incoming);
      try {
        await put(directory);
        const files = (await this.#store.list(directory)).map(({ name, size }) => ({ path: name, size }));
        const name = await this.#freeName(plainName(incoming.name));
        const kept = { ...incoming, name, files, added_at: this.#now() };
        await this.#commit(kept);
        return kept;
      } catch (error) {
        await this.#store.remove(directory);
        if (!isStorageError(error, "full")) throw error;
        throw new DatasetError(incoming.name, `no storage space left for it: ${error.message}`, {
          cause: error,
        });
      }
    });
  }

  async #commit(kept: KeptDataset): Promise<void> {
    await this.#store.write(joinPath(keptDirectory(kept), COMMIT_FILE), await encodeKept(kept));
  }

  /** Records the hub's id for a data set that was added before, so that it can be found by that id too. */
  async #alsoFetched(known: KeptDataset, { hub_dataset_id }: IncomingDataset): Promise<KeptDataset> {
    if (hub_dataset_id === null || known.hub_dataset_id !== null) return known;
    const kept = { ...known, hub_dataset_id };
    await this.#commit(kept);
    return kept;
  }

  /** Removes what an earlier tab left unfinished. The lock ensures that nobody else is adding. */
  async #sweep(): Promise<void> {
    for (const { name, kind } of await this.#store.list(KEPT_DIRECTORY)) {
      if (kind !== "directory" || !/^[0-9a-f]{64}$/.test(name)) continue;
      const directory = joinPath(KEPT_DIRECTORY, name);
      if (!(await this.#store.exists(joinPath(directory, COMMIT_FILE)))) await this.#store.remove(directory);
    }
  }

  async #freeName(name: string): Promise<string> {
    const taken = new Set((await this.list()).map((kept) => kept.name));
    if (!taken.has(name)) return name;
    let number = 2;
    while (taken.has(`${name}-${number}`)) number++;
    return `${name}-${number}`;
  }

  async #copy(content: BinaryFile, path: string): Promise<void> {
    for (let at = 0; at < content.size; at += BLOCK) {
      const block = await content.slice(at, Math.min(content.size, at + BLOCK)).arrayBuffer();
      await this.#store.append(path, new Uint8Array(block));
    }
  }
}

/** A file of a store as a page's `Blob`, which data sets are opened from; a copy if the store has its own kind. */
export async function blobOf(store: FileStore, path: string): Promise<BinaryFile> {
  const file = await store.blob(path);
  return file instanceof Blob ? file : new Blob([await file.arrayBuffer()]);
}
