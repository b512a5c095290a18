import { z } from "zod";
import type { Attempt } from "../nodes/turnJob.ts";

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
