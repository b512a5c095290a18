/** Texts with values, to find those that stand at a place of another text. */
export class PrefixTree<T> {
  readonly #next = new Map<number, PrefixTree<T>>();
  #value: T | undefined;

  set(text: string, value: T): void {
    let node: PrefixTree<T> = this;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      let next = node.#next.get(unit);
      if (next === undefined) node.#next.set(unit, (next = new PrefixTree()));
      node = next;
    }
    node.#value = value;
  }

  /** Calls back for each text that begins at `at`, from the shortest, with the place behind it. */
  each(text: string, at: number, found: (value: T, end: number) => void): void {
    let node = this.#next.get(text.charCodeAt(at));
    for (let end = at + 1; node !== undefined; end++) {
      if (node.#value !== undefined) found(node.#value, end);
      node = end < text.length ? node.#next.get(text.charCodeAt(end)) : undefined;
    }
  }
}
