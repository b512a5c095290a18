/** Minimum number of bytes per write, except for the last. */
const BLOCK = 2 ** 20;
/** Number of unwritten bytes at which `add` waits for the disk. */
const MOST_WAITING = 2 ** 24;

/**
 * Writes bytes in order and in blocks, and accepts more bytes meanwhile. Reading must not wait for the disk:
 * when a connection breaks, a browser drops all received bytes that have not been read.
 */
export class BlockWriter {
  readonly #write: (block: Uint8Array) => Promise<void>;
  #waiting: Uint8Array[] = [];
  #size = 0;
  /** The current writes; `null` if there are none. The promise never rejects. */
  #writing: Promise<void> | null = null;
  #failure: { readonly error: unknown } | null = null;

  constructor(write: (block: Uint8Array) => Promise<void>) {
    this.#write = write;
  }

  /** Queues bytes, and waits only if too many are unwritten. @throws the error of a failed write. */
  async add(bytes: Uint8Array): Promise<void> {
    this.#waiting.push(bytes);
    this.#size += bytes.byteLength;
    if (this.#size >= BLOCK) this.#writing ??= this.#writeWhile(() => this.#size >= BLOCK);
    if (this.#size >= MOST_WAITING) await this.#writing;
    this.#requireWritten();
  }

  /** Writes the remaining bytes. @throws the error of a failed write. */
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
