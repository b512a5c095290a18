/** A store that waits for room: a full disk holds work up, and fails none. */
import { isStorageError } from "../../../src/storage/index.ts";
import { reasonOf } from "../../../src/storage/storageError.ts";
import { pause } from "../database/pause.ts";
import type { ArtifactStore } from "./ArtifactStore.ts";

export interface PatientStoreOptions {
  /** Told once each time that something has to wait, and why. */
  readonly onWait: (reason: string) => void;
  /** Ends the waiting. */
  readonly signal: AbortSignal;
}

/** Milliseconds until a disk that was full is tried again. */
const FULL_MS = 1000;

export const patientStore = (
  store: ArtifactStore,
  { onWait, signal }: PatientStoreOptions,
): ArtifactStore => ({
  get: (sha256) => store.get(sha256),
  put: async (bytes) => {
    for (let told = false; ; told = true) {
      try {
        return await store.put(bytes);
      } catch (error) {
        if (!isStorageError(error, "full") || signal.aborted) throw error;
        if (!told) onWait(reasonOf(error));
        await pause(FULL_MS, signal);
      }
    }
  },
});
