import { type CharacterSet, hasCharacter, type Pattern, parsePattern } from "./parsePattern.ts";

interface Node {
  readonly steps: { readonly set: CharacterSet; readonly to: number }[];
  /** Nodes that are reached without reading a character. */
  readonly free: number[];
}

/** Upper bound on the nodes of a pattern, because repeats are expanded. */
const MOST_NODES = 20_000;

/** The state from which no match is possible. */
export const DEAD = -1;

/**
 * Matches a regular expression against whole texts, one character at a time (Thompson 1968). A state is the
 * set of nodes that the text so far can reach. States are numbered when they are first reached.
 */
export class Automaton {
  readonly start: number;
  readonly #nodes: Node[] = [];
  readonly #final: number;
  /** The nodes of each state. */
  readonly #states: (readonly number[])[] = [];
  readonly #ids = new Map<string, number>();
  readonly #steps: Map<number, number>[] = [];
  readonly #pattern: string;

  /** @throws RangeError for a pattern that {@link parsePattern} rejects, or that is too large. */
  constructor(pattern: string) {
    this.#pattern = pattern;
    const first = this.#node();
    this.#final = this.#add(parsePattern(pattern), first);
    this.start = this.#state([first]);
  }

  /** The state after a text; {@link DEAD} if no match starts with it. */
  after(state: number, text: string): number {
    let at = state;
    for (const character of text) {
      if (at === DEAD) return DEAD;
      at = this.#step(at, character.codePointAt(0) ?? 0);
    }
    return at;
  }

  /** Whether the text read so far is a match. */
  accepts(state: number): boolean {
    return this.#states[state]?.includes(this.#final) ?? false;
  }

  #node(): number {
    if (this.#nodes.length === MOST_NODES)
      throw new RangeError(`found "${this.#pattern}", which is too large; use fewer repetitions`);
    return this.#nodes.push({ steps: [], free: [] }) - 1;
  }

  #link(from: number, to: number): number {
    this.#nodes[from]?.free.push(to);
    return to;
  }

  /** Adds a pattern after a node. @returns The node after the pattern. */
  #add(pattern: Pattern, from: number): number {
    switch (pattern.kind) {
      case "character": {
        const to = this.#node();
        this.#nodes[from]?.steps.push({ set: pattern.set, to });
        return to;
      }
      case "sequence":
        return pattern.parts.reduce((node, part) => this.#add(part, node), from);
      case "choice": {
        const end = this.#node();
        for (const option of pattern.options)
          this.#link(this.#add(option, this.#link(from, this.#node())), end);
        return end;
      }
      case "repeat":
        return this.#addRepeat(pattern, from);
    }
  }

  #addRepeat({ part, least, most }: Extract<Pattern, { kind: "repeat" }>, from: number): number {
    let node = from;
    for (let i = 0; i < least; i++) node = this.#add(part, node);
    const end = this.#node();
    if (most === Number.POSITIVE_INFINITY) {
      const again = this.#link(node, this.#node());
      this.#link(this.#add(part, again), again);
      return this.#link(again, end);
    }
    for (let i = least; i < most; i++) {
      this.#link(node, end);
      node = this.#add(part, node);
    }
    return this.#link(node, end);
  }

  #step(state: number, code: number): number {
    const known = this.#steps[state]?.get(code);
    if (known !== undefined) return known;
    const reached = (this.#states[state] ?? []).flatMap((node) =>
      (this.#nodes[node]?.steps ?? []).flatMap(({ set, to }) => (hasCharacter(set, code) ? [to] : [])),
    );
    const next = reached.length === 0 ? DEAD : this.#state(reached);
    this.#steps[state]?.set(code, next);
    return next;
  }

  /** The state of the nodes and of all nodes that they reach without reading a character. */
  #state(nodes: readonly number[]): number {
    const found = new Set(nodes);
    for (const node of found) for (const next of this.#nodes[node]?.free ?? []) found.add(next);
    const sorted = [...found].toSorted((a, b) => a - b);
    const key = sorted.join();
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.#states.push(sorted) - 1;
    this.#steps.push(new Map());
    this.#ids.set(key, id);
    return id;
  }
}
