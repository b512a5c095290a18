/** Writes of a run in their order, which nobody has to wait for. After one that fails none is made. */
export class RunWriter {
  readonly #onFailure: (error: unknown) => void;
  #last: Promise<void> = Promise.resolve();
  #failed = false;
  #failure: unknown = null;
  /** Written when those before it are; replaced by a later one. */
  #latest: (() => Promise<void>) | null = null;

  /** @param onFailure Told of the first write that failed. */
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

  /** Adds a write of which only the newest counts. */
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

  /** Resolves when all that was added is written. @throws what the first one threw that failed. */
  async flush(): Promise<void> {
    await this.#last;
    if (this.#failed) throw this.#failure;
  }
}
