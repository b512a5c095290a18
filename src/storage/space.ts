import type { FileStore } from "./fileStore.ts";

/** Whether bytes fit into a store, with the numbers behind the answer. */
export interface SpaceEstimate {
  readonly fits: boolean;
  /** Bytes asked for, with a tenth more for the file system's own needs. */
  readonly needed: number;
  /** Bytes still free; null when the platform does not say, and then `fits` is true. */
  readonly free: number | null;
}

/** Compares `bytes` x 1.1 with what the store says is free. The write itself still checks. */
export async function estimateFits(store: FileStore, bytes: number): Promise<SpaceEstimate> {
  const needed = Math.ceil(bytes * 1.1);
  const estimate = await store.estimate();
  if (estimate === null) return { fits: true, needed, free: null };
  const free = Math.max(0, estimate.quota - estimate.used);
  return { fits: needed <= free, needed, free };
}
