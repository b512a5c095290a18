/** Allocates blocks of a growable memory and merges them when they are freed. */

/** Blocks start on a cache line: a vector that straddles two lines costs twice. */
const ALIGN = 64;

const blockSize = (bytes: number): number => Math.ceil(Math.max(bytes, 1) / ALIGN) * ALIGN;

/** Bytes from `start` to `end`. */
interface Block {
  start: number;
  end: number;
}

/**
 * Grows a memory: by at least `missing` bytes if the new ones follow the present end, else by at least `whole`. Returns
 * the new bytes, or throws.
 */
export type Grow = (missing: number, whole: number) => Block;

export class BlockAllocator {
  readonly #grow: Grow;
  /** Free blocks, sorted by address. */
  #free: Block[];
  /** The end of the memory. */
  #total: number;
  #used = 0;

  /**
   * @param bytes Size of the memory. Its first cache line is never allocated, so that no block has address 0.
   */
  constructor(bytes: number, grow: Grow) {
    this.#total = bytes;
    this.#grow = grow;
    this.#free = bytes > ALIGN ? [{ start: ALIGN, end: bytes }] : [];
  }

  /** Bytes in use. */
  get used(): number {
    return this.#used;
  }

  allocate(bytes: number): number {
    const size = blockSize(bytes);
    const block = this.#free.find((b) => b.end - b.start >= size) ?? this.#more(size);
    const start = block.start;
    block.start += size;
    if (block.start === block.end) this.#free = this.#free.filter((b) => b !== block);
    this.#used += size;
    return start;
  }

  free(start: number, bytes: number): void {
    const size = blockSize(bytes);
    this.#used -= size;
    this.#insert({ start, end: start + size });
  }

  #insert(block: Block): void {
    const merged: Block[] = [];
    for (const b of [...this.#free, block].sort((x, y) => x.start - y.start)) {
      const last = merged.at(-1);
      if (last && last.end === b.start) last.end = b.end;
      else merged.push({ ...b });
    }
    this.#free = merged;
  }

  #more(size: number): Block {
    const tail = this.#free.find((b) => b.end === this.#total);
    const block = this.#grow(size - (tail ? tail.end - tail.start : 0), size);
    this.#total = block.end;
    this.#insert(block);
    return this.#free.find((b) => b.end - b.start >= size) as Block; // the new one, or with the tail
  }
}

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
