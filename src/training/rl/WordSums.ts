/** Sums by which what is read twice is found to be other numbers the second time: Fletcher's, of words of 32 bits, by name. */
export class WordSums {
  readonly #sums = new Map<string, readonly [number, number]>();

  /** Adds the words that follow those before of the same name. */
  add(name: string, { buffer, byteOffset, length }: Float32Array | Int32Array | Uint32Array): void {
    let [sum, weighted] = this.#sums.get(name) ?? [0, 0];
    for (const word of new Int32Array(buffer, byteOffset, length)) {
      sum = (sum + word) | 0;
      weighted = (weighted + sum) | 0;
    }
    this.#sums.set(name, [sum, weighted]);
  }

  equals(other: WordSums): boolean {
    return JSON.stringify([...this.#sums]) === JSON.stringify([...other.#sums]);
  }
}
