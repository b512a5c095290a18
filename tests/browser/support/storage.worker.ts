import { isStorageError } from "../../../src/storage/files.ts";
import {
  commitCheckpoint,
  type FileStore,
  type OpfsOptions,
  opfsFileStore,
} from "../../../src/storage/index.ts";
import { STORE_CONTRACT } from "../../storage/support/storeContract.ts";

/** What the page asks of this worker; it answers with the failure's text, or null. */
export type StorageRequest = { readonly directory: string; readonly options: OpfsOptions } & (
  | { readonly type: "contract"; readonly caseName: string }
  | { readonly type: "commit"; readonly dir: string; readonly bytes: number }
);

/** Commits a checkpoint of four files; null, or the code of the `StorageError`. */
export async function commitBytes(store: FileStore, dir: string, bytes: number): Promise<string | null> {
  const files = new Map(
    [0, 1, 2, 3].map((n) => [`member_${n}.safetensors`, new Uint8Array(bytes / 4).fill(n)]),
  );
  try {
    await commitCheckpoint(store, dir, files, { generation: 1, global_step: 1, spec_hash: "h" });
    return null;
  } catch (error) {
    return isStorageError(error) ? error.code : String(error);
  }
}

async function serve(request: StorageRequest): Promise<string | null> {
  const origin = await navigator.storage.getDirectory();
  const root = await origin.getDirectoryHandle(request.directory, { create: true });
  const store = opfsFileStore(root, request.options);
  if (request.type === "commit") return commitBytes(store, request.dir, request.bytes);
  const found = STORE_CONTRACT.find(({ name }) => name === request.caseName);
  if (found === undefined) throw new Error(`no case ${request.caseName}`);
  await found.run(store);
  return null;
}

// The test imports the functions above too, in a page, where there is nothing to serve.
if (typeof WorkerGlobalScope !== "undefined" && self instanceof WorkerGlobalScope) {
  self.addEventListener("message", ({ data }: MessageEvent<StorageRequest>) => {
    serve(data).then(
      (answer) => self.postMessage(answer),
      (error: unknown) => self.postMessage(String(error)),
    );
  });
}
