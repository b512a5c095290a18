/** Bytes by their SHA-256. */
export interface ArtifactStore {
  /** Keeps bytes under their hash; the same bytes again change nothing. @returns the hash, in hexadecimal digits. */
  put(bytes: Uint8Array): Promise<string>;
  /** @throws StorageError `not_found`, or `corrupt` for bytes of another hash. */
  get(sha256: string): Promise<Uint8Array>;
}
