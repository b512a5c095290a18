/** An artifact store that waits while the disk is full: a full disk delays work but does not fail it. */

import { pause } from "../../../src/http/waiting.ts";
import { reasonOf } from "../../../src/storage/files.ts";
import { isStorageError } from "../../../src/storage/index.ts";
import type { ArtifactStore } from "./ArtifactStore.ts";

export interface PatientStoreOptions {
  /** Called once per delayed write, with the reason. */
  readonly onWait: (reason: string) => void;
  /** Aborts the wait. */
  readonly signal: AbortSignal;
}

/** Milliseconds between attempts while the disk is full. */
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
