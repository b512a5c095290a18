import { z } from "zod";
import { pause, reasonOf } from "../../../src/hosting/index.ts";
import { isStorageError } from "../../../src/storage/index.ts";
import type { Attempt } from "../nodes/turnJob.ts";

interface PatientStoreOptions {
  /** Called once per delayed write, with the reason. */
  readonly onWait: (reason: string) => void;
  /** Aborts the wait. */
  readonly signal: AbortSignal;
}

/** Milliseconds between attempts while the disk is full. */
const FULL_MS = 1000;

/** An artifact store that waits while the disk is full: a full disk delays work but does not fail it. */
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

/** Bytes that the machines of one attempt at a run exchange, private to the attempt and deleted with it. */
export interface TurnStore extends ArtifactStore {
  /** Deletes an artifact. Does nothing if it does not exist. */
  remove(sha256: string): Promise<void>;
}

/** Opens the store of an attempt at a run. */
export type TurnStores = (attempt: Attempt) => TurnStore;

/** The name of an artifact: the SHA-256 of its bytes, in hexadecimal. */
export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);

/** Content-addressed storage: bytes keyed by their SHA-256 hash. */
export interface ArtifactStore {
  /**
   * Stores bytes under their hash. Storing the same bytes again has no effect.
   * @returns the hash, in hexadecimal.
   */
  put(bytes: Uint8Array): Promise<string>;
  /** @throws StorageError `not_found`, or `corrupt` if the bytes do not match the hash. */
  get(sha256: string): Promise<Uint8Array>;
}
