export interface OpenOptions {
  /** Text of the `metadata.json` that belongs to the bytes. For a path, defaults to the file beside it. */
  readonly metadata?: string | null;
  /** Name in messages and checkpoints. Defaults to the path, or "data set". */
  readonly source?: string;
  /** SHA-256 of the bytes, if known; otherwise it is calculated. */
  readonly sha256?: string;
}
