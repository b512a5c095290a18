/** What lies on disk of runs, and what of it stays. */

/** A file for the user to download. */
export interface Download {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface CheckpointSummary {
  readonly generation: number;
  readonly global_step: number;
  /** Of the best member then; null where it has none. */
  readonly fitness: number | null;
  readonly bytes: number;
  /** When it was committed, milliseconds since the epoch; NaN for those of older builds. */
  readonly at: number;
  /** Whether it stays, whatever the policy says. */
  readonly pinned: boolean;
}

/** Which checkpoints of a run stay; pinned ones always do. */
export interface StoragePolicy {
  /** The newest ones, 1 or more. */
  readonly keep_last: number;
  /** Whether the one of best fitness stays too. */
  readonly keep_best: boolean;
}

/** Bytes on disk of one run. */
export interface RunBytes {
  readonly id: string;
  readonly bytes: {
    readonly checkpoints: number;
    readonly log: number;
    /** The hall of fame. */
    readonly fame: number;
    readonly manifest: number;
  };
}

/** What storage there is, and what was found at start-up. */
export interface StorageInfo {
  readonly kind: "opfs" | "memory";
  readonly used: number | null;
  readonly quota: number | null;
  readonly report: readonly string[];
  readonly runs: readonly RunBytes[];
  /** Whether the browser keeps the files when space is short; null where it does not say. */
  readonly persisted: boolean | null;
}

export interface StorageCalls {
  storage(): Promise<StorageInfo>;
  /** The committed checkpoints of a run, newest first. */
  checkpoints(id: string): Promise<readonly CheckpointSummary[]>;
  pin(id: string, generation: number, on: boolean): Promise<void>;
  deleteCheckpoint(id: string, generation: number): Promise<void>;
  /** A run with its checkpoints as a zip, for `importRun`. */
  exportRun(id: string): Promise<Download>;
  /** Adds an exported run, all of it checked first. Returns its id, another one where its own is taken. */
  importRun(bytes: Uint8Array): Promise<string>;
  /** Asks the browser to keep this site's files when space is short; its answer. */
  persist(): Promise<boolean>;
  policy(): Promise<StoragePolicy>;
  setPolicy(policy: StoragePolicy): Promise<void>;
}
