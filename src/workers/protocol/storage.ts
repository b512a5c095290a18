/** What the browser stores: runs, the policy for what is kept of them, and folders of base models. */

/** A file for the user to download. */
export interface Download {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface CheckpointSummary {
  readonly generation: number;
  readonly global_step: number;
  /** Fitness of the best member at that time; null if it has none. */
  readonly fitness: number | null;
  readonly bytes: number;
  /** Commit time, milliseconds since the epoch; NaN for checkpoints of older builds. */
  readonly at: number;
  /** Whether it is kept regardless of the policy. */
  readonly pinned: boolean;
}

/** Which checkpoints of a run are kept; pinned ones always are. */
export interface StoragePolicy {
  /** Number of newest checkpoints to keep, 1 or more. */
  readonly keep_last: number;
  /** Whether the checkpoint with the best fitness is also kept. */
  readonly keep_best: boolean;
}

/** Bytes of one run in storage. */
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

/** The available storage, and messages from start-up. */
export interface StorageInfo {
  readonly kind: "opfs" | "memory";
  readonly used: number | null;
  readonly quota: number | null;
  readonly report: readonly string[];
  readonly runs: readonly RunBytes[];
  /** Whether the storage is persistent; null if the browser does not say. */
  readonly persisted: boolean | null;
}

export interface KeptModel {
  readonly name: string;
  /** The name in manifests, as `pretrained_model_name_or_path`. */
  readonly path: string;
  /** Size in storage. */
  readonly bytes: number;
}

/** One file of a folder that the user picked. */
export interface PickedFile {
  /** Name without the folder. */
  readonly name: string;
  readonly content: Blob;
}

export interface AddedModel {
  readonly model: KeptModel;
  /** Messages for the user. */
  readonly warnings: readonly string[];
}
