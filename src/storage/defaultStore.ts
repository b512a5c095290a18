/** The default file store of this platform: the disk in Node, OPFS in a browser. */
import type { FileStore } from "./fileStore.ts";
import { isNode } from "./isNode.ts";
import { memoryFileStore } from "./memoryFileStore.ts";
import { hasOpfs, opfsFileStore } from "./opfs/opfsFileStore.ts";

/** Paths are relative to the working directory in Node, and to the origin's private storage in a browser. */
export async function defaultStore(): Promise<FileStore> {
  if (isNode()) {
    // Not a literal, so that bundlers for the browser leave it alone.
    const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
    const module: { readonly nodeFileStore: () => FileStore } = await import(
      /* @vite-ignore */ `./node/index.${extension}`
    );
    return module.nodeFileStore();
  }
  return hasOpfs() ? opfsFileStore() : memoryFileStore();
}
