/** What is known of an elite besides its policy. */
export interface EliteMeta {
  readonly generation: number;
  readonly global_step: number;
  /** Best fitness of the generation; null if it is not finite. */
  readonly fitness: number | null;
  /** Identity of the member. */
  readonly index: number;
}

/** A kept elite. */
export interface FameEntry extends EliteMeta {
  readonly pinned: boolean;
}

/** An elite to keep. */
export interface NewElite extends EliteMeta {
  readonly policy: Uint8Array;
}
