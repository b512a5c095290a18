/** Sets of characters, by code point. */

/** First and last code point. */
export type CharacterRange = readonly [number, number];

export interface CharacterSet {
  readonly ranges: readonly CharacterRange[];
  /** Whether the set contains all characters outside the ranges. */
  readonly negated: boolean;
}

const range = (text: string): CharacterRange => [text.codePointAt(0) ?? 0, text.codePointAt(1) ?? 0];

const DIGITS = [range("09")];
const WORD = [range("az"), range("AZ"), range("09"), range("__")];
/** Whitespace, like `\s` in regular expressions. */
const SPACE: readonly CharacterRange[] = [
  [9, 13],
  [32, 32],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];

const LAST = 0x10ffff;

/** The complement of the ranges. */
function complement(ranges: readonly CharacterRange[]): CharacterRange[] {
  const left: CharacterRange[] = [];
  let next = 0;
  for (const [first, last] of ranges.toSorted(([a], [b]) => a - b)) {
    if (first > next) left.push([next, first - 1]);
    next = Math.max(next, last + 1);
  }
  if (next <= LAST) left.push([next, LAST]);
  return left;
}

/** The characters of an escape such as `\d`; `null` for other letters. */
export function escapedRanges(letter: string): readonly CharacterRange[] | null {
  switch (letter) {
    case "d":
      return DIGITS;
    case "D":
      return complement(DIGITS);
    case "w":
      return WORD;
    case "W":
      return complement(WORD);
    case "s":
      return SPACE;
    case "S":
      return complement(SPACE);
    default:
      return null;
  }
}

/** All characters except line terminators, like a dot. */
export const ANY_OF_A_LINE: CharacterSet = {
  ranges: [
    [10, 10],
    [13, 13],
    [0x2028, 0x2029],
  ],
  negated: true,
};

export const characterOf = (code: number): CharacterSet => ({ ranges: [[code, code]], negated: false });

export const hasCharacter = ({ ranges, negated }: CharacterSet, code: number): boolean =>
  ranges.some(([first, last]) => first <= code && code <= last) !== negated;
