const MIB = 2 ** 20;

/** Thrown when a device's memory cannot grow further. */
export class OutOfMemoryError extends RangeError {
  /** MiB that all buffers would need. */
  readonly needed: number;
  /** MiB available at most. */
  readonly found: number;

  /**
   * @param needed Bytes that all buffers would need.
   * @param found Bytes available.
   * @param advice What the user can do about it.
   */
  constructor(needed: number, found: number, advice: string, options: ErrorOptions = {}) {
    const [more, less] = [Math.ceil(needed / MIB), Math.ceil(found / MIB)];
    super(`out of memory: needed ${more} MiB, found ${less} MiB; ${advice}`, options);
    this.name = "OutOfMemoryError";
    [this.needed, this.found] = [more, less];
  }
}
