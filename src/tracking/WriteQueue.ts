/** Writes one after another in the background; the first failure ends it. */
export class WriteQueue<T> {
  readonly #write: (batch: readonly T[]) => Promise<void>;
  readonly #onFailure: (error: unknown) => void;
  #pending: T[] = [];
  #running: Promise<void> | null = null;
  #failure: { readonly error: unknown } | null = null;

  /**
   * @param write Is given all that was added since its last call, and is never called while it runs.
   * @param onFailure Told of the failure at once.
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

  /** Waits until all that was added is written. @throws What a write threw. */
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
