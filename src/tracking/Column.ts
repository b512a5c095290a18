/** The typed arrays that columns consist of. */
export type Numbers = Float64Array | Float32Array | Int32Array | Uint16Array | Uint8Array;

const FIRST_CAPACITY = 64;

/** A growing list of numbers in one typed array. */
export class Column<T extends Numbers = Float64Array> {
  #array: T;
  #length: number;

  /** @param array The first numbers. The column may write into it. */
  constructor(array: T) {
    this.#array = array;
    this.#length = array.length;
  }

  get length(): number {
    return this.#length;
  }

  /** A view of the numbers. Numbers that are added later do not change it. */
  get values(): T {
    return this.#array.subarray(0, this.#length) as T;
  }

  /** The value at `index`; NaN outside. */
  at(index: number): number {
    return index >= 0 && index < this.#length ? (this.#array[index] ?? Number.NaN) : Number.NaN;
  }

  push(value: number): void {
    this.extend(this.#length + 1);
    this.#array[this.#length - 1] = value;
  }

  /** Replaces the value at an existing `index`. */
  set(index: number, value: number): void {
    this.#array[index] = value;
  }

  /**
   * Adds unknown numbers until there are `length`: NaN, which is 0 among integers.
   * @param capacity Room that is enough for all numbers, if that is known.
   */
  extend(length: number, capacity = 0): void {
    if (length > this.#array.length) {
      const larger = capacity < length ? Math.max(FIRST_CAPACITY, 2 * length) : capacity;
      // A typed array's constructor creates the same kind of array, which its type does not express.
      const array = new (this.#array.constructor as new (length: number) => T)(larger);
      array.set(this.values);
      this.#array = array;
    }
    if (length > this.#length) this.#array.fill(Number.NaN, this.#length, length);
    this.#length = Math.max(this.#length, length);
  }

  /** Drops all numbers after the first `length`. */
  truncate(length: number): void {
    this.#length = Math.min(this.#length, length);
  }

  /** The index of `value` in an ascending column; -1 if it is absent. */
  indexOf(value: number): number {
    let [low, high] = [0, this.#length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = this.at(middle);
      if (found === value) return middle;
      if (found < value) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }
}
