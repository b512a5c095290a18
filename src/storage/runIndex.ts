import type { RunRecord } from "./runRecord.ts";

/** The list of runs, for fast reading. It is only a copy: `RunStore.recover` rebuilds it from the files. */
export interface RunIndex {
  put(record: RunRecord): Promise<void>;
  get(id: string): Promise<RunRecord | null>;
  list(): Promise<readonly RunRecord[]>;
  /** No error when absent. */
  remove(id: string): Promise<void>;
  close(): void;
}

export function memoryRunIndex(): RunIndex {
  const records = new Map<string, RunRecord>();
  return {
    async put(record) {
      records.set(record.id, record);
    },
    async get(id) {
      return records.get(id) ?? null;
    },
    async list() {
      return [...records.values()];
    },
    async remove(id) {
      records.delete(id);
    },
    close() {},
  };
}
