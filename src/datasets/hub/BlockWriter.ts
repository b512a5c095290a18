/** Bytes that a write is worth. */
const BLOCK = 2 ** 20;
/** Bytes that wait for a slow disk before whoever brings them waits too. */
const MOST_WAITING = 2 ** 24;

/**
 * Writes bytes in their order, in blocks, while more are taken in: a browser drops all that it received and nobody has read
 * when a connection breaks, so that reading must not wait for the disk.
 */
export class BlockWriter {
  readonly #write: (block: Uint8Array) => Promise<void>;
  #waiting: Uint8Array[] = [];
  #size = 0;
  /** The writes under way; null when there are none. It never rejects. */
  #writing: Promise<void> | null = null;
  #failure: { readonly error: unknown } | null = null;

  constructor(write: (block: Uint8Array) => Promise<void>) {
    this.#write = write;
  }

  /** Takes bytes in; waits only where very many are not written yet. @throws what a write threw. */
  async add(bytes: Uint8Array): Promise<void> {
    this.#waiting.push(bytes);
    this.#size += bytes.byteLength;
    if (this.#size >= BLOCK) this.#writing ??= this.#writeWhile(() => this.#size >= BLOCK);
    if (this.#size >= MOST_WAITING) await this.#writing;
    this.#requireWritten();
  }

  /** Writes what is left. @throws what a write threw. */
  async end(): Promise<void> {
    await this.#writing;
    await this.#writeWhile(() => this.#size > 0);
    this.#requireWritten();
  }

  async #writeWhile(isDue: () => boolean): Promise<void> {
    try {
      while (isDue() && this.#failure === null) await this.#write(this.#take());
    } catch (error) {
      this.#failure = { error };
    } finally {
      this.#writing = null;
    }
  }

  #take(): Uint8Array {
    const block = new Uint8Array(this.#size);
    let at = 0;
    for (const bytes of this.#waiting) {
      block.set(bytes, at);
      at += bytes.byteLength;
    }
    [this.#waiting, this.#size] = [[], 0];
    return block;
  }

  #requireWritten(): void {
    if (this.#failure) throw this.#failure.error;
  }
}
