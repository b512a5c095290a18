import type { FileStore } from "../../../src/storage/index.ts";

/** `inner` as seen by a tab that can be killed. After that, no operation is performed or answered. */
export function mortalFiles(inner: FileStore): FileStore & { kill(): void } {
  let dead = false;
  const alive = <T>(work: () => Promise<T>): Promise<T> => (dead ? new Promise(() => undefined) : work());
  return {
    kind: inner.kind,
    kill: () => {
      dead = true;
    },
    read: (path) => alive(() => inner.read(path)),
    blob: (path) => alive(() => inner.blob(path)),
    write: (path, bytes) => alive(() => inner.write(path, bytes)),
    append: (path, bytes, expected) => alive(() => inner.append(path, bytes, expected)),
    rename: (from, to) => alive(() => inner.rename(from, to)),
    list: (dir) => alive(() => inner.list(dir)),
    exists: (path) => alive(() => inner.exists(path)),
    remove: (path) => alive(() => inner.remove(path)),
    estimate: () => alive(() => inner.estimate()),
  };
}
