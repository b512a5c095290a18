/** Bytes that the machines of one attempt at a run pass to each other. They are nobody else's, and go with the attempt. */
import type { Attempt } from "../nodes/turnJob.ts";
import type { ArtifactStore } from "./ArtifactStore.ts";

export interface TurnStore extends ArtifactStore {
  /** Takes away what nobody needs any more; what is not there is not missed. */
  remove(sha256: string): Promise<void>;
}

/** Opens the store of an attempt. */
export type TurnStores = (attempt: Attempt) => TurnStore;
