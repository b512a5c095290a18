/** Artifacts stored as files in a directory: `<first two digits>/<hash>`. */
import { utimes } from "node:fs/promises";
import {
  type FileStore,
  isStorageError,
  joinPath,
  StorageError,
  sha256Hex,
} from "../../../src/storage/index.ts";
import type { TurnStore } from "./ArtifactStore.ts";

export class DirectoryArtifacts implements TurnStore {
  readonly #store: FileStore;
  readonly #directory: string;

  constructor(store: FileStore, directory: string) {
    this.#store = store;
    this.#directory = directory;
  }

  async put(bytes: Uint8Array): Promise<string> {
    const sha256 = await sha256Hex(bytes);
    const path = this.fileOf(sha256);
    // The file store writes under a temporary name and renames, so an existing file is complete.
    if (!(await touch(path))) await this.#store.write(path, bytes);
    return sha256;
  }

  async get(sha256: string): Promise<Uint8Array> {
    const path = this.fileOf(sha256);
    const bytes = await this.#store.read(path).catch((error: unknown) => {
      if (!isStorageError(error, "not_found")) throw error;
      throw new StorageError("not_found", path, "is not among the artifacts", { cause: error });
    });
    if ((await sha256Hex(bytes)) === sha256) return bytes;
    throw new StorageError("corrupt", path, "is corrupt (its SHA-256 differs)");
  }

  async remove(sha256: string): Promise<void> {
    await this.#store.remove(this.fileOf(sha256));
  }

  /** Path of an artifact's file, whether or not it exists. */
  fileOf(sha256: string): string {
    return joinPath(this.#directory, sha256.slice(0, 2), sha256);
  }
}

/**
 * Updates a file's times, so that it is not garbage-collected as old.
 * @returns false if the file does not exist.
 */
export async function touch(file: string): Promise<boolean> {
  const now = new Date();
  try {
    await utimes(file, now, now);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
}
