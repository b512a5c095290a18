/** The default file store of this platform: the disk in Node, OPFS in a browser. */
import { type FileStore, isNode } from "./fileStore.ts";
import { memoryFileStore } from "./memoryFileStore.ts";
import { hasOpfs, opfsFileStore } from "./opfs/opfsFileStore.ts";

/** Paths are relative to the working directory in Node, and to the origin's private storage in a browser. */
export async function defaultStore(): Promise<FileStore> {
  if (isNode()) return (await import("#node/storage/node/index")).nodeFileStore();
  return hasOpfs() ? opfsFileStore() : memoryFileStore();
}
