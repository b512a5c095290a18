/** Linear memory of one worker, handed out in blocks that are merged again when freed. */

const PAGE = 65536;
/** Blocks start on a cache line: a vector that straddles two lines costs twice. */
const ALIGN = 64;

const blockSize = (bytes: number): number => Math.ceil(Math.max(bytes, 1) / ALIGN) * ALIGN;

export class LinearMemory {
  readonly memory = new WebAssembly.Memory({ initial: 16 });
  /** Free blocks by address. */
  #free: { start: number; end: number }[] = [{ start: ALIGN, end: 16 * PAGE }];
  #used = 0;

  /** Bytes in use. */
  get used(): number {
    return this.#used;
  }

  /** Bytes of memory that have been claimed from the engine. */
  get total(): number {
    return this.memory.buffer.byteLength;
  }

  /** @throws RangeError when the engine refuses more memory. */
  allocate(bytes: number): number {
    const size = blockSize(bytes);
    const block = this.#free.find((b) => b.end - b.start >= size) ?? this.#grow(size);
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

  #insert(block: { start: number; end: number }): void {
    const merged: { start: number; end: number }[] = [];
    for (const b of [...this.#free, block].sort((x, y) => x.start - y.start)) {
      const last = merged.at(-1);
      if (last && last.end === b.start) last.end = b.end;
      else merged.push({ ...b });
    }
    this.#free = merged;
  }

  #grow(size: number): { start: number; end: number } {
    const before = this.total;
    const tail = this.#free.find((b) => b.end === before);
    const missing = size - (tail ? tail.end - tail.start : 0);
    const pages = Math.ceil(missing / PAGE);
    try {
      this.memory.grow(pages);
    } catch (cause) {
      throw new RangeError(
        `out of memory: ${Math.ceil(size / 2 ** 20)} MiB more were asked for beyond ${Math.ceil(this.#used / 2 ** 20)} MiB in use; use a smaller population, network, batch or replay buffer`,
        { cause },
      );
    }
    this.#insert({ start: before, end: before + pages * PAGE });
    return this.#free.find((b) => b.end - b.start >= size) as { start: number; end: number };
  }
}
