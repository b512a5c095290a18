import { joinPath, storageFull, storageLocked } from "../../../src/storage/files.ts";
import { type FileStore, StorageError } from "../../../src/storage/index.ts";

/**
 * - `crash`: the process dies before the operation; `crash_after`: right after it took effect;
 *   `crash_torn`: half-way (half the bytes at the target, a copy for a rename, half the children removed).
 * - `short`: the platform writes half the bytes and reports success, once.
 * - `full`: every write from then on writes half its bytes and fails; removing still works.
 * - `locked`: this operation fails, the others work.
 */
export type Fault = "crash" | "crash_torn" | "crash_after" | "short" | "full" | "locked";

export const FAULTS: readonly Fault[] = ["crash", "crash_torn", "crash_after", "short", "full", "locked"];

/** Stands for the death of the process. It is not a StorageError, so that no code under test handles it. */
export class SimulatedCrash extends Error {}

export interface FaultyFileStore extends FileStore {
  /** Number of operations so far. */
  readonly operations: number;
}

/** Wraps `inner` with one fault at operation number `plan.at` (0-based, over all methods). */
export function faultyFileStore(
  inner: FileStore,
  plan: { readonly at: number; readonly fault: Fault },
): FaultyFileStore {
  let operations = 0;
  let dead = false;

  /** Counts an operation. @returns true if the fault is due at it. */
  const count = (): boolean => {
    if (dead) throw new SimulatedCrash("after the crash");
    const due = operations === plan.at;
    operations++;
    if (due && plan.fault === "crash") die();
    return due;
  };
  const die = (): never => {
    dead = true;
    throw new SimulatedCrash(`at operation ${plan.at}`);
  };

  const put = async (
    path: string,
    bytes: Uint8Array,
    write: (part: Uint8Array) => Promise<void>,
  ): Promise<void> => {
    const due = count();
    const half = bytes.subarray(0, bytes.byteLength >> 1);
    if (plan.fault === "full" && operations > plan.at) {
      await write(half);
      throw storageFull(path, bytes.byteLength);
    }
    if (due && plan.fault === "locked") throw storageLocked(path);
    if (due && plan.fault === "short") return write(half);
    if (due && plan.fault === "crash_torn") {
      await write(half);
      die();
    }
    await write(bytes);
    if (due && plan.fault === "crash_after") die();
  };

  const plain = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
    const due = count();
    if (due && plan.fault === "locked") throw storageLocked(path);
    const result = await work();
    if (due && (plan.fault === "crash_after" || plan.fault === "crash_torn")) die();
    return result;
  };

  return {
    kind: inner.kind,
    get operations() {
      return operations;
    },
    read: (path) => plain(path, () => inner.read(path)),
    blob: (path) => plain(path, () => inner.blob(path)),
    write: (path, bytes) => put(path, bytes, (part) => inner.write(path, part)),
    append: (path, bytes, expected) => put(path, bytes, (part) => inner.append(path, part, expected)),
    async rename(from, to) {
      const due = count();
      if (due && plan.fault === "locked") throw storageLocked(from);
      if (due && plan.fault === "short") throw new StorageError("io", from, "could not be renamed");
      if (due && plan.fault === "crash_torn") {
        const bytes = await inner.read(from);
        await inner.write(to, bytes.subarray(0, bytes.byteLength >> 1));
        die();
      }
      await inner.rename(from, to);
      if (due && plan.fault === "crash_after") die();
    },
    list: (dir) => plain(dir, () => inner.list(dir)),
    exists: (path) => plain(path, () => inner.exists(path)),
    async remove(path) {
      const due = count();
      if (due && plan.fault === "locked") throw storageLocked(path);
      if (due && plan.fault === "crash_torn") {
        const entries = await inner.list(path);
        for (const { name } of entries.slice(0, entries.length >> 1))
          await inner.remove(joinPath(path, name));
        die();
      }
      await inner.remove(path);
      if (due && plan.fault === "crash_after") die();
    },
    estimate: () => plain("estimate", () => inner.estimate()),
  };
}
