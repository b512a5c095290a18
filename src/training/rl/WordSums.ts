/** Fletcher checksums of 32-bit words, by name, which detect whether data changed between two reads. */
export class WordSums {
  readonly #sums = new Map<string, readonly [number, number]>();

  /** Adds words after those added before under the same name. */
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
