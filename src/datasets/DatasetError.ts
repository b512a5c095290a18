export interface OpenOptions {
  /** Text of the `metadata.json` that belongs to the bytes. For a path, defaults to the file beside it. */
  readonly metadata?: string | null;
  /** Name in messages and checkpoints. Defaults to the path, or "data set". */
  readonly source?: string;
  /** SHA-256 of the bytes, if known; otherwise it is calculated. */
  readonly sha256?: string;
}

/**
 * Thrown when a data set cannot be used. The message names the source, the location in it, what was found and what is allowed.
 *
 * @example
 * ```ts
 * try {
 *   await openDataset("runs/nothing");
 * } catch (error) {
 *   if (error instanceof DatasetError) console.log(error.source, error.message);
 * }
 * ```
 */
export class DatasetError extends Error {
  override readonly name = "DatasetError";
  readonly source: string;

  constructor(source: string, message: string, options?: ErrorOptions) {
    super(`${source}: ${message}`, options);
    this.source = source;
  }
}
