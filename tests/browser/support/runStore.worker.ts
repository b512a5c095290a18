import {
  type FileStore,
  idbRunIndex,
  opfsFileStore,
  RunStore,
  webRunLocks,
} from "../../../src/storage/index.ts";

/**
 * Makes the run `id` and saves generations 1 and 2. At file operation `hangAt` of the second save the worker hangs for
 * ever, with the operation under way.
 */
export interface SaveRequest {
  readonly directory: string;
  readonly database: string;
  readonly id: string;
  readonly hangAt: number;
}

export type SaveReply =
  | { readonly type: "hanging" | "saved" }
  | { readonly type: "failed"; readonly message: string };

export function filesOfGeneration(generation: number): Map<string, Uint8Array> {
  return new Map(
    Array.from({ length: 2 }, (_, member) => [
      `member_${member}.safetensors`,
      new Uint8Array(300_000).fill((generation * 2 + member) & 255),
    ]),
  );
}

/** `inner` that tells `pass` of each operation once it has begun, and waits for it. */
function gatedFileStore(inner: FileStore, pass: () => Promise<void>): FileStore {
  const gate = async <T>(operation: () => Promise<T>): Promise<T> => {
    const [result] = await Promise.all([operation(), pass()]);
    return result;
  };
  return {
    kind: inner.kind,
    read: (path) => gate(() => inner.read(path)),
    blob: (path) => gate(() => inner.blob(path)),
    write: (path, bytes) => gate(() => inner.write(path, bytes)),
    append: (path, bytes, expected) => gate(() => inner.append(path, bytes, expected)),
    rename: (from, to) => gate(() => inner.rename(from, to)),
    list: (dir) => gate(() => inner.list(dir)),
    exists: (path) => gate(() => inner.exists(path)),
    remove: (path) => gate(() => inner.remove(path)),
    estimate: () => gate(() => inner.estimate()),
  };
}

function reply(message: SaveReply): void {
  self.postMessage(message);
}

async function save({ directory, database, id, hangAt }: SaveRequest): Promise<void> {
  let operation = Number.NEGATIVE_INFINITY;
  const pass = async (): Promise<void> => {
    if (operation++ !== hangAt) return;
    reply({ type: "hanging" });
    await new Promise(() => {});
  };
  const origin = await navigator.storage.getDirectory();
  const opfs = opfsFileStore(await origin.getDirectoryHandle(directory, { create: true }));
  const files = gatedFileStore(opfs, pass);
  const store = new RunStore({ files, index: idbRunIndex(database), locks: webRunLocks() });
  await store.createRun({ id, name: id, manifest: {} });
  for (const generation of [1, 2]) {
    if (generation === 2) operation = 0;
    const meta = { generation, global_step: generation, spec_hash: "h" };
    await store.saveCheckpoint(id, filesOfGeneration(generation), meta);
  }
  reply({ type: "saved" });
}

// The test imports the functions above too, in a page, where there is nothing to serve.
if (typeof WorkerGlobalScope !== "undefined" && self instanceof WorkerGlobalScope) {
  self.addEventListener("message", ({ data }: MessageEvent<SaveRequest>) => {
    save(data).catch((error: unknown) => reply({ type: "failed", message: String(error) }));
  });
}
