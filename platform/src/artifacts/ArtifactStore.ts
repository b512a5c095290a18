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
