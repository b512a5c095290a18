import type { FameEntry } from "./elites.ts";
import { DEFAULT_POLICY } from "./storagePolicy.ts";

/** An elite and its file. */
export interface EliteEntry extends FameEntry {
  readonly sha256: string;
  /** Size of the file. */
  readonly bytes: number;
}

/** What the elites of a run may take. */
export interface EliteLimits {
  readonly bytes: number;
  readonly count: number;
}

/** Most elites of a run, because directories of very many files are slow. */
const MOST_ELITES = 4096;

/** What the elites of a run may take. */
export const eliteLimits = (bytes = DEFAULT_POLICY.elite_bytes): EliteLimits => ({
  bytes,
  count: MOST_ELITES,
});

/** Part of the limits to which elites are thinned, so that not every addition has to thin them. */
const KEPT_SHARE = 7 / 8;

/** Bytes and number of elites. Those that share a file count its bytes once. */
class Total {
  readonly #uses = new Map<string, number>();
  bytes = 0;
  count = 0;

  constructor(entries: readonly EliteEntry[]) {
    for (const { sha256, bytes } of entries) {
      const uses = this.#uses.get(sha256) ?? 0;
      this.#uses.set(sha256, uses + 1);
      this.bytes += uses === 0 ? bytes : 0;
      this.count += 1;
    }
  }

  drop({ sha256, bytes }: EliteEntry): void {
    const uses = (this.#uses.get(sha256) ?? 1) - 1;
    this.#uses.set(sha256, uses);
    this.bytes -= uses === 0 ? bytes : 0;
    this.count -= 1;
  }

  exceeds(limits: EliteLimits, share = 1): boolean {
    return this.bytes > share * limits.bytes || this.count > share * limits.count;
  }
}

/** Bytes of the files of elites. */
export const eliteBytes = (entries: readonly EliteEntry[]): number => new Total(entries).bytes;

/**
 * The elites to delete so that the others fit: from the oldest on every second one, then those that are not of every
 * fourth generation, and so on. Of the unpinned ones, the first and the last are kept longest.
 * @param entries Sorted by generation.
 */
export function elitesToDrop(entries: readonly EliteEntry[], limits: EliteLimits): readonly EliteEntry[] {
  const total = new Total(entries);
  if (!total.exceeds(limits)) return [];
  const dropped = new Set<EliteEntry>();
  const drop = (entry: EliteEntry): void => {
    total.drop(entry);
    dropped.add(entry);
  };
  const last = entries.at(-1)?.generation ?? 0;
  const inner = entries.slice(1, -1).filter(({ pinned }) => !pinned);
  for (let stride = 2; stride < 2 * last; stride *= 2) {
    for (const entry of inner) {
      if (!total.exceeds(limits, KEPT_SHARE)) return [...dropped];
      if (entry.generation % stride !== 0 && !dropped.has(entry)) drop(entry);
    }
  }
  for (const entry of [...inner, ...entries.slice(0, 1), ...entries.slice(-1)])
    if (total.exceeds(limits) && !entry.pinned && !dropped.has(entry)) drop(entry);
  return [...dropped];
}

/** The elites to delete when the storage is full: the older half of those that are not pinned, except the newest. */
export function elitesToShed(entries: readonly EliteEntry[]): readonly EliteEntry[] {
  const unpinned = entries.slice(0, -1).filter(({ pinned }) => !pinned);
  return unpinned.slice(0, Math.ceil(unpinned.length / 2));
}
