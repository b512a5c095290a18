/**
 * Reads a long sequence once for all readers that join before its first part is read. The next part is read
 * when every reader has requested it.
 */
export class SharedReading<T> {
  readonly #read: () => AsyncIterable<T>;
  /** The most recent reading. */
  #reading: Reading<T> | null = null;

  constructor(read: () => AsyncIterable<T>) {
    this.#read = read;
  }

  /**
   * All parts. A reader that stops early must call `return`, as `for await` does, because the others wait for
   * it.
   */
  join(): AsyncIterable<T> {
    if (!this.#reading || this.#reading.begun)
      this.#reading = new Reading(this.#read()[Symbol.asyncIterator]());
    return this.#reading.join();
  }
}

interface Waiting<T> {
  readonly resolve: (part: IteratorResult<T>) => void;
  readonly reject: (error: unknown) => void;
}

class Reading<T> {
  begun = false;
  readonly #parts: AsyncIterator<T>;
  /** The readers, each with its pending request for the next part. */
  readonly #readers = new Map<symbol, Waiting<T> | null>();
  #busy = false;

  constructor(parts: AsyncIterator<T>) {
    this.#parts = parts;
  }

  join(): AsyncIterable<T> {
    const reader = Symbol("reader");
    this.#readers.set(reader, null);
    const iterator: AsyncIterator<T> = {
      next: () =>
        new Promise((resolve, reject) => {
          this.#readers.set(reader, { resolve, reject });
          this.#advance();
        }),
      return: async () => {
        this.#readers.delete(reader);
        if (this.#readers.size === 0) await this.#parts.return?.();
        else this.#advance();
        return { done: true, value: undefined };
      },
    };
    return { [Symbol.asyncIterator]: () => iterator };
  }

  /** Reads the next part if every reader has requested it. */
  #advance(): void {
    if (this.#busy || [...this.#readers.values()].includes(null)) return;
    this.begun = true;
    this.#busy = true;
    this.#parts.next().then(
      (part) => this.#give(({ resolve }) => resolve(part)),
      (error: unknown) => this.#give(({ reject }) => reject(error)),
    );
  }

  #give(answer: (waiting: Waiting<T>) => void): void {
    this.#busy = false;
    const waiting = [...this.#readers];
    for (const [reader] of waiting) this.#readers.set(reader, null);
    for (const [, one] of waiting) if (one) answer(one);
  }
}
