import type { FileStore } from "../storage/index.ts";
import type { RunBytes, StorageInfo } from "./protocol.ts";

interface Parts {
  readonly files: FileStore;
  readonly isPersisted?: () => Promise<boolean | null>;
}

/**
 * The state of the storage.
 * @param report Messages from start-up.
 */
export async function storageInfo(
  { files, isPersisted }: Parts,
  report: readonly string[],
  runs: readonly RunBytes[],
): Promise<StorageInfo> {
  const estimate = await files.estimate();
  return {
    kind: files.kind === "memory" ? "memory" : "opfs",
    used: estimate?.used ?? null,
    quota: estimate?.quota ?? null,
    report,
    runs,
    persisted: (await isPersisted?.()) ?? null,
  };
}
