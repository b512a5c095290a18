const FIRST_CAPACITY = 64;

/** A growing list of numbers in one typed array. */
export class NumberColumn {
  #values = new Float64Array(FIRST_CAPACITY);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Float64Array(this.#values.length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length] = value;
    this.#length += 1;
  }

  /** The value at `index`; NaN outside. */
  at(index: number): number {
    return index >= 0 && index < this.#length ? (this.#values[index] ?? Number.NaN) : Number.NaN;
  }

  /** Replaces the value at an existing `index`. */
  set(index: number, value: number): void {
    this.#values[index] = value;
  }

  /** Drops all values after the first `length`. */
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

  /** A copy of the values. */
  values(): Float64Array<ArrayBuffer> {
    return this.#values.slice(0, this.#length);
  }
}
