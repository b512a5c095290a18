/** Calls of kernels in a program's main function. */

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
