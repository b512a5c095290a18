/**
 * Turns repeated calls into loops. Shader compilers inline every call and take more than twice the time for
 * twice the code. So the layers of a network, the networks of an agent and its parameters become loops over
 * records: words in the member's table, after its slots, that hold what differs between iterations.
 */

/** An i32 passed to a call: a literal, or a word of the member's table. */
export type Word = { readonly literal: number } | { readonly slot: number };

/** An argument: a word, and for an address in stacked values the rows before it in each enclosing loop. */
export interface Argument {
  readonly start: Word;
  readonly rows: readonly { readonly loop: string; readonly words: Word }[];
}

export interface Call {
  readonly kind: "call";
  readonly func: number;
  readonly args: readonly Argument[];
}

export const wordCode = (word: Word): string =>
  "slot" in word ? `table[base + ${word.slot}]` : `${word.literal}`;

/** Words of an argument, in the order of `argumentCode`. */
export const wordsOf = ({ start, rows }: Argument): Word[] => [start, ...rows.map(({ words }) => words)];

/** @param codes Code of each of its words. */
export const argumentCode = ({ rows }: Argument, codes: readonly string[]): string =>
  rows.reduce((sum, { loop }, i) => `${sum} + ${loop} * ${codes[i + 1]}`, `${codes[0]}`);

/** All invocations see the call's writes before they continue. */
export const callCode = (func: number, args: readonly string[]): string[] => [
  `k${func}(${args.join(", ")});`,
  "storageBarrier();",
];

/** Iterations of the same calls; their arguments and the counts of inner loops may differ. */
interface Repeat {
  readonly kind: "repeat";
  readonly iterations: readonly (readonly Item[])[];
}

type Item = Call | Repeat;

/** Two items with the same pattern can be iterations of one loop. */
class Patterns {
  readonly #known = new Map<Item, string>();

  of(item: Item): string {
    const known = this.#known.get(item) ?? this.#make(item);
    this.#known.set(item, known);
    return known;
  }

  #make(item: Item): string {
    if (item.kind === "repeat")
      return `[${(item.iterations[0] ?? []).map((inner) => this.of(inner)).join("")}]`;
    return `k${item.func}(${item.args.map(({ rows }) => rows.map(({ loop }) => loop).join("+")).join()})`;
  }
}

/** The same calls in the same order, with repeated calls, and repeats of repeats, as loops. */
function reroll(calls: readonly Call[]): readonly Item[] {
  const patterns = new Patterns();
  let items: readonly Item[] = calls;
  for (let length = 1; length <= items.length / 2; ) {
    const shorter = rerollBlocks(items, length, patterns);
    // A new loop may itself be repeated.
    length = shorter.length < items.length ? 1 : length + 1;
    items = shorter;
  }
  return items;
}

/** Turns consecutive blocks of `length` items with equal patterns into loops. */
function rerollBlocks(items: readonly Item[], length: number, known: Patterns): Item[] {
  const patterns = items.map((item) => known.of(item));
  const result: Item[] = [];
  for (let start = 0; start < items.length; ) {
    let end = start + length;
    while (end < items.length && patterns[end] === patterns[end - length]) end++;
    const times = Math.floor((end - start) / length);
    if (times < 2) {
      result.push(items[start++] as Item);
      continue;
    }
    const iterations = Array.from({ length: times }, (_, i) =>
      items.slice(start + i * length, start + (i + 1) * length),
    );
    result.push({ kind: "repeat", iterations });
    start += times * length;
  }
  return result;
}

/** Adds the code of calls to `lines`, and the records that it reads to `records`. */
export function writeCalls(calls: readonly Call[], lines: string[], records: Word[]): void {
  if (calls.length === 0) return;
  lines.push("{", `var at = base + RECORDS + ${records.length};`);
  const code = new RecordCode(lines);
  for (const item of reroll(calls)) {
    const template = templateOf([item]);
    record(item, template, records);
    code.write(template);
  }
  lines.push("}");
}

/** The common part of an item's instances; null stands for a word of their records. */
type Template =
  | { readonly kind: "call"; readonly call: Call; readonly words: readonly (readonly (number | null)[])[] }
  | { readonly kind: "repeat"; readonly times: number | null; readonly body: readonly Template[] };

/** @param instances All with the same pattern. */
function templateOf(instances: readonly Item[]): Template {
  const [first] = instances as readonly [Item];
  if (first.kind === "call") {
    const all = instances as readonly Call[];
    const words = first.args.map((arg, i) =>
      wordsOf(arg).map((_, j) =>
        common(all.map(({ args }) => wordsOf(args[i] as Call["args"][number])[j] as Word)),
      ),
    );
    return { kind: "call", call: first, words };
  }
  const all = instances as readonly Repeat[];
  const iterations = all.flatMap((repeat) => repeat.iterations);
  return {
    kind: "repeat",
    times: common(all.map((repeat) => ({ literal: repeat.iterations.length }))),
    body: (iterations[0] ?? []).map((_, i) => templateOf(iterations.map((items) => items[i] as Item))),
  };
}

/** The literal number that all words are; null if they differ. */
const common = ([first, ...others]: readonly Word[]): number | null =>
  first && "literal" in first && others.every((word) => "literal" in word && word.literal === first.literal)
    ? first.literal
    : null;

/** Adds the words of an instance that its template leaves open, in the order in which its code reads them. */
function record(item: Item, template: Template, records: Word[]): void {
  if (item.kind === "call" && template.kind === "call") {
    item.args.forEach((arg, i) => {
      records.push(...wordsOf(arg).filter((_, j) => template.words[i]?.[j] === null));
    });
  }
  if (item.kind === "repeat" && template.kind === "repeat") {
    if (template.times === null) records.push({ literal: item.iterations.length });
    for (const items of item.iterations)
      items.forEach((inner, i) => {
        record(inner, template.body[i] as Template, records);
      });
  }
}

/** Code of calls and loops over them. `at` is the address of the current record. */
class RecordCode {
  readonly #lines: string[];
  /** Words that the code has read since it last moved `at`. */
  #read = 0;
  #loops = 0;

  constructor(lines: string[]) {
    this.#lines = lines;
  }

  write(template: Template): void {
    if (template.kind === "repeat") {
      this.#writeLoop(template);
      return;
    }
    const { call, words } = template;
    const args = call.args.map((arg, i) => {
      const codes = (words[i] ?? []).map((word) => this.#code(word));
      return argumentCode(arg, codes);
    });
    this.#lines.push(...callCode(call.func, args));
    this.#move();
  }

  #writeLoop({ times, body }: Template & { kind: "repeat" }): void {
    const loop = this.#loops++;
    this.#lines.push(`let times${loop} = ${this.#code(times)};`);
    this.#move();
    this.#lines.push(`for (var r${loop} = 0; r${loop} < times${loop}; r${loop}++) {`);
    for (const inner of body) this.write(inner);
    this.#lines.push("}");
  }

  #code(word: number | null): string {
    return word === null ? `table[at + ${this.#read++}]` : `${word}`;
  }

  #move(): void {
    if (this.#read > 0) this.#lines.push(`at += ${this.#read};`);
    this.#read = 0;
  }
}
