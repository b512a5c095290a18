/** Bytes that the machines of one attempt at a run exchange, private to the attempt and deleted with it. */
import type { Attempt } from "../nodes/turnJob.ts";
import type { ArtifactStore } from "./ArtifactStore.ts";

export interface TurnStore extends ArtifactStore {
  /** Deletes an artifact. Does nothing if it does not exist. */
  remove(sha256: string): Promise<void>;
}

/** Opens the store of an attempt at a run. */
export type TurnStores = (attempt: Attempt) => TurnStore;
