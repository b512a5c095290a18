export interface OpenOptions {
  /** Text of the `metadata.json` that belongs to the bytes; of a path, the file beside it is read. */
  readonly metadata?: string | null;
  /** What messages and checkpoints call it; the path, or "data set", unless given. */
  readonly source?: string;
  /** SHA-256 of a page's `Blob` or `File`, where it is known; it is calculated unless given. */
  readonly sha256?: string;
}
