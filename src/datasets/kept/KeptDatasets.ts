/** Data sets that a browser keeps, each once, whatever it is called. */
import { type BinaryFile, type FileStore, isStorageError, joinPath } from "../../storage/index.ts";
import { alone } from "../alone.ts";
import { DatasetError } from "../DatasetError.ts";
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

/** A file to be kept. */
export interface IncomingFile {
  readonly name: string;
  readonly content: BinaryFile;
}

/** What is kept with its files; how large they are, and when they came, is found out. */
export type IncomingDataset = Omit<KeptDataset, "files" | "added_at">;

/** Bytes that are written at once. */
const BLOCK = 2 ** 23;
const ADDING = "datasets";

/** A name as one of any folder, its parts between slashes. */
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

  /** All that are whole, by name. */
  async list(): Promise<readonly KeptDataset[]> {
    const found: KeptDataset[] = [];
    for (const { name, kind } of await this.#store.list(KEPT_DIRECTORY)) {
      const kept = kind === "directory" ? await this.get(name) : null;
      if (kept) found.push(kept);
    }
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Null where none is kept whole under that hash. @throws StorageError for a damaged record. */
  async get(sha256: string): Promise<KeptDataset | null> {
    const path = joinPath(keptDirectory({ sha256 }), COMMIT_FILE);
    if (!(await this.#store.exists(path))) return null;
    return decodeKept(await this.#store.read(path), path);
  }

  /** By what a manifest calls it: its name or its hash behind "datasets/". Null for other paths. @throws DatasetError where there is none. */
  async named(path: string): Promise<KeptDataset | null> {
    if (!path.startsWith(KEPT_PREFIX)) return null;
    const name = path.slice(KEPT_PREFIX.length);
    const all = await this.list();
    const found = all.find((kept) => kept.name === name || kept.sha256 === name);
    if (found) return found;
    throw new DatasetError(
      path,
      `is not kept in this browser; there are ${all.map(keptPath).join(", ") || "none"}. Add it on the page Data`,
    );
  }

  /** The one that was fetched from the hub by an id; null where it was not. */
  async ofHub(id: string): Promise<KeptDataset | null> {
    return (await this.list()).find(({ hub_dataset_id }) => hub_dataset_id === id) ?? null;
  }

  /**
   * Keeps files under the hash of the first. The same again changes nothing, and a name that another one has gets a number.
   * @throws DatasetError where there is no room; nothing is left of it then.
   */
  add(incoming: IncomingDataset, files: readonly IncomingFile[]): Promise<KeptDataset> {
    return this.#write(incoming, async (directory) => {
      for (const { name, content } of files) await this.#copy(content, joinPath(directory, name));
    });
  }

  /** The same of files that lie in the store, which move there. */
  adopt(incoming: IncomingDataset, paths: readonly string[]): Promise<KeptDataset> {
    return this.#write(incoming, async (directory) => {
      for (const path of paths)
        await this.#store.rename(path, joinPath(directory, path.slice(path.lastIndexOf("/") + 1)));
    });
  }

  async remove(sha256: string): Promise<void> {
    await alone(ADDING, async () => {
      const directory = keptDirectory({ sha256 });
      // First what makes it a data set, so that one that is cut off is none.
      await this.#store.remove(joinPath(directory, COMMIT_FILE));
      await this.#store.remove(directory);
    });
  }

  /** A kept file, where it lies. */
  async file(kept: KeptDataset, name: string): Promise<BinaryFile> {
    return blobOf(this.#store, joinPath(keptDirectory(kept), name));
  }

  /** The text of a kept file; null where it has none of that name. */
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
        throw new DatasetError(incoming.name, `there is no room for it: ${error.message}`, { cause: error });
      }
    });
  }

  async #commit(kept: KeptDataset): Promise<void> {
    await this.#store.write(joinPath(keptDirectory(kept), COMMIT_FILE), await encodeKept(kept));
  }

  /** What was added before is found by the hub's id too. */
  async #alsoFetched(known: KeptDataset, { hub_dataset_id }: IncomingDataset): Promise<KeptDataset> {
    if (hub_dataset_id === null || known.hub_dataset_id !== null) return known;
    const kept = { ...known, hub_dataset_id };
    await this.#commit(kept);
    return kept;
  }

  /** Removes what an earlier tab left unfinished. Nobody else adds meanwhile. */
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

/** A file of a store, where it lies; a copy where the store is in memory. */
export async function blobOf(store: FileStore, path: string): Promise<BinaryFile> {
  if (store.blob) return store.blob(path);
  const bytes = await store.read(path);
  return new Blob([new Uint8Array(bytes)]);
}
