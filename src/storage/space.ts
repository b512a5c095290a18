import type { FileStore } from "./fileStore.ts";

/** Whether bytes fit into a store, with the numbers behind the result. */
export interface SpaceEstimate {
  readonly fits: boolean;
  /** Requested bytes, plus a tenth for file system overhead. */
  readonly needed: number;
  /** Free bytes; null if the platform does not report them, and then `fits` is true. */
  readonly free: number | null;
}

/** Compares `bytes` x 1.1 with the store's free space. The write itself still checks. */
export async function estimateFits(store: FileStore, bytes: number): Promise<SpaceEstimate> {
  const needed = Math.ceil(bytes * 1.1);
  const estimate = await store.estimate();
  if (estimate === null) return { fits: true, needed, free: null };
  const free = Math.max(0, estimate.quota - estimate.used);
  return { fits: needed <= free, needed, free };
}
