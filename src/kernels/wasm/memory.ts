/** Linear memory of one worker. */
import { BlockAllocator, OutOfMemoryError } from "../blockAllocator.ts";

export const PAGE = 65536;

/** Size of a new memory. */
export const FIRST_BYTES = 16 * PAGE;

export class LinearMemory {
  /** @internal Of a type that only the DOM's and Node's libraries declare. */
  readonly memory = new WebAssembly.Memory({ initial: FIRST_BYTES / PAGE });
  readonly #blocks = new BlockAllocator(FIRST_BYTES, (missing) => this.#grow(missing));

  /** Bytes in use. */
  get used(): number {
    return this.#blocks.used;
  }

  /** Bytes of memory claimed from the engine. */
  get total(): number {
    return this.memory.buffer.byteLength;
  }

  /** @throws OutOfMemoryError when the engine refuses more memory. */
  allocate(bytes: number): number {
    return this.#blocks.allocate(bytes);
  }

  free(start: number, bytes: number): void {
    this.#blocks.free(start, bytes);
  }

  #grow(missing: number): number {
    try {
      this.memory.grow(Math.ceil(missing / PAGE));
    } catch (cause) {
      const advice = "use a smaller population, network, batch or replay buffer";
      throw new OutOfMemoryError(this.total + missing, this.total, advice, { cause });
    }
    return this.total;
  }
}
