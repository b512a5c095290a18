/** A cache of values, which drops those that were not requested for several ages. */

/** Ages for which an unused value is kept. Recreating one takes milliseconds; an age is one generation. */
const KEPT = 8;

export class AgingCache<V> {
  readonly #entries = new Map<string, { readonly value: V; usedAt: number }>();
  readonly #dropped: (value: V) => void;
  #age = 0;

  /** @param dropped Called with each value that is dropped. */
  constructor(dropped: (value: V) => void = () => undefined) {
    this.#dropped = dropped;
  }

  get(key: string, make: () => V): V {
    const known = this.#entries.get(key);
    if (known) {
      known.usedAt = this.#age;
      return known.value;
    }
    const value = make();
    this.#entries.set(key, { value, usedAt: this.#age });
    return value;
  }

  get size(): number {
    return this.#entries.size;
  }

  *values(): Generator<V> {
    for (const { value } of this.#entries.values()) yield value;
  }

  /** Starts the next age and drops values that were unused for too long. */
  age(): void {
    this.#age++;
    for (const [key, { usedAt }] of this.#entries) if (this.#age - usedAt > KEPT) this.#drop(key);
  }

  clear(): void {
    for (const key of this.#entries.keys()) this.#drop(key);
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key);
    this.#entries.delete(key);
    if (entry) this.#dropped(entry.value);
  }
}
