import type { Tensor } from "../../../../kernels/index.ts";
import { cast, iota, less, reshape } from "../../../../kernels/index.ts";

/** Index tensors for comparisons, created once and shared by all operations of one traced step or picture. */
export class Board {
  readonly #numbers = new Map<number, Tensor>();
  readonly #before = new Map<number, Tensor>();

  /** 0, 1, ..., size - 1, f32 [size]. */
  numbers(size: number): Tensor {
    const numbers = this.#numbers.get(size) ?? cast(iota(size), "f32");
    this.#numbers.set(size, numbers);
    return numbers;
  }

  /** Whether index j is less than index i, bool [i, j]. */
  before(size: number): Tensor {
    const numbers = this.numbers(size);
    const before = this.#before.get(size) ?? less(numbers, reshape(numbers, [size, 1]));
    this.#before.set(size, before);
    return before;
  }
}
