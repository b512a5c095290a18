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
