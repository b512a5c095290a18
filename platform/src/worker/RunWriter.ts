/** Performs the writes of a run in order, in the background. After a failed write, none is made. */
export class RunWriter {
  readonly #onFailure: (error: unknown) => void;
  #last: Promise<void> = Promise.resolve();
  #failed = false;
  #failure: unknown = null;
  /** Pending write that a later one may replace. */
  #latest: (() => Promise<void>) | null = null;

  /** @param onFailure Called with the error of the first write that fails. */
  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  add(write: () => Promise<void>): void {
    this.#last = this.#last.then(async () => {
      if (this.#failed) return;
      try {
        await write();
      } catch (error) {
        this.#failed = true;
        this.#failure = error;
        this.#onFailure(error);
      }
    });
  }

  /** Adds a write that replaces the previous one if that has not started. */
  replace(write: () => Promise<void>): void {
    const waits = this.#latest !== null;
    this.#latest = write;
    if (waits) return;
    this.add(async () => {
      const newest = this.#latest;
      this.#latest = null;
      await newest?.();
    });
  }

  /** Resolves when all added writes are done. @throws the error of the first write that failed. */
  async flush(): Promise<void> {
    await this.#last;
    if (this.#failed) throw this.#failure;
  }
}
