/** Linear memory of one device. */
import { BlockAllocator, OutOfMemoryError } from "../blockAllocator.ts";
import { PAGE, type SharedHeap } from "./SharedHeap.ts";

/** Size of a new memory. */
export const FIRST_BYTES = 16 * PAGE;

/** Pages by which devices on a shared heap grow it at least, so that blocks of one device are neighbours. */
const SHARED_STEP = 256;

export class LinearMemory {
  /** @internal Of a type that only the DOM's and Node's libraries declare. */
  readonly memory: WebAssembly.Memory;
  /** Whether other threads allocate parts of the memory. */
  readonly isShared: boolean;
  readonly #blocks: BlockAllocator;
  /** Address of the first byte that the latest allocation was given by the engine. */
  #fresh = Number.POSITIVE_INFINITY;

  constructor(heap?: SharedHeap) {
    this.isShared = heap !== undefined;
    this.memory = heap?.memory ?? new WebAssembly.Memory({ initial: FIRST_BYTES / PAGE });
    const own = heap ? 0 : FIRST_BYTES;
    this.#blocks = new BlockAllocator(own, (missing, whole) => this.#grow(missing, whole));
  }

  /** Bytes in use. */
  get used(): number {
    return this.#blocks.used;
  }

  /** Bytes of memory claimed from the engine, by all threads. */
  get total(): number {
    return this.memory.buffer.byteLength;
  }

  /** @throws OutOfMemoryError when the engine refuses more memory. */
  allocate(bytes: number): number {
    this.#fresh = Number.POSITIVE_INFINITY;
    return this.#blocks.allocate(bytes);
  }

  /** As {@link LinearMemory.allocate}, with zeros. */
  allocateZeros(bytes: number): number {
    const start = this.allocate(bytes);
    // Memory that the engine has just given is zero. Untouched, it takes no room yet.
    const used = Math.max(0, Math.min(bytes, this.#fresh - start));
    new Uint8Array(this.memory.buffer, start, used).fill(0);
    return start;
  }

  free(start: number, bytes: number): void {
    this.#blocks.free(start, bytes);
  }

  #grow(missing: number, whole: number) {
    // On a shared heap, other threads may own what precedes the new pages.
    const pages = this.isShared ? Math.max(Math.ceil(whole / PAGE), SHARED_STEP) : Math.ceil(missing / PAGE);
    try {
      const start = this.memory.grow(pages) * PAGE;
      this.#fresh = start;
      return { start, end: start + pages * PAGE };
    } catch (cause) {
      const advice = "use a smaller population, network, batch or replay buffer";
      throw new OutOfMemoryError(this.total + missing, this.total, advice, { cause });
    }
  }
}
