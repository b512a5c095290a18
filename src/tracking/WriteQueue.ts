/** Runs writes one after another in the background; the first failure ends the queue. */
export class WriteQueue<T> {
  readonly #write: (batch: readonly T[]) => Promise<void>;
  readonly #onFailure: (error: unknown) => void;
  #pending: T[] = [];
  #running: Promise<void> | null = null;
  #failure: { readonly error: unknown } | null = null;

  /**
   * @param write Receives all items added since its last call; never called while a previous call is running.
   * @param onFailure Called with the error as soon as a write fails.
   */
  constructor(write: (batch: readonly T[]) => Promise<void>, onFailure: (error: unknown) => void = () => {}) {
    this.#write = write;
    this.#onFailure = onFailure;
  }

  add(item: T): void {
    if (this.#failure) return;
    this.#pending.push(item);
    this.#running ??= this.#drain();
  }

  /** Waits until all items are written. @throws The error of a failed write. */
  async flush(): Promise<void> {
    await this.#running;
    if (this.#failure) throw this.#failure.error;
  }

  async #drain(): Promise<void> {
    try {
      while (this.#pending.length > 0) {
        const batch = this.#pending;
        this.#pending = [];
        await this.#write(batch);
      }
    } catch (error) {
      this.#failure = { error };
      this.#pending = [];
      this.#onFailure(error);
    } finally {
      this.#running = null;
    }
  }
}
