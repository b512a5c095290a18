const MIB = 2 ** 20;

/** A device's memory does not grow any more. */
export class OutOfMemoryError extends RangeError {
  /** MiB that all buffers would take, and that there are at most. */
  readonly needed: number;
  readonly found: number;

  /**
   * @param needed Bytes that all buffers would take.
   * @param found Bytes that there are.
   * @param advice What to do.
   */
  constructor(needed: number, found: number, advice: string, options: ErrorOptions = {}) {
    const [more, less] = [Math.ceil(needed / MIB), Math.ceil(found / MIB)];
    super(`out of memory: needed ${more} MiB, found ${less} MiB; ${advice}`, options);
    this.name = "OutOfMemoryError";
    [this.needed, this.found] = [more, less];
  }
}
