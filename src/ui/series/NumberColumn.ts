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
}
