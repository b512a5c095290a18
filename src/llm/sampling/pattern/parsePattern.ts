/** Parses regular expressions into trees, whose leaves are sets of characters. */
/** First and last code point. */
type CharacterRange = readonly [number, number];

/** Sets of characters, by code point. */
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
function escapedRanges(letter: string): readonly CharacterRange[] | null {
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
const ANY_OF_A_LINE: CharacterSet = {
  ranges: [
    [10, 10],
    [13, 13],
    [0x2028, 0x2029],
  ],
  negated: true,
};

const characterOf = (code: number): CharacterSet => ({ ranges: [[code, code]], negated: false });

export const hasCharacter = ({ ranges, negated }: CharacterSet, code: number): boolean =>
  ranges.some(([first, last]) => first <= code && code <= last) !== negated;

export type Pattern =
  | { readonly kind: "character"; readonly set: CharacterSet }
  | { readonly kind: "sequence"; readonly parts: readonly Pattern[] }
  | { readonly kind: "choice"; readonly options: readonly Pattern[] }
  | { readonly kind: "repeat"; readonly part: Pattern; readonly least: number; readonly most: number };

const CONTROLS: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, v: 11, f: 12, 0: 0 };

class Parser {
  readonly #characters: readonly string[];
  readonly #pattern: string;
  #at = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
    this.#characters = Array.from(pattern);
  }

  whole(): Pattern {
    const found = this.#choice();
    if (this.#at < this.#characters.length) throw this.#unsupported(this.#peek(), "a group's end");
    return found;
  }

  #peek(offset = 0): string {
    return this.#characters[this.#at + offset] ?? "";
  }

  #take(): string {
    return this.#characters[this.#at++] ?? "";
  }

  #takes(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.#at++;
    return true;
  }

  #unsupported(found: string, what: string): RangeError {
    return new RangeError(
      `found "${this.#pattern}", where ${JSON.stringify(found)} is ${what}; allowed are characters, classes, groups, | and * + ? {}`,
    );
  }

  #choice(): Pattern {
    const options = [this.#sequence()];
    while (this.#takes("|")) options.push(this.#sequence());
    return options.length === 1 && options[0] ? options[0] : { kind: "choice", options };
  }

  #sequence(): Pattern {
    const parts: Pattern[] = [];
    while (this.#at < this.#characters.length && this.#peek() !== "|" && this.#peek() !== ")")
      parts.push(this.#repeated(this.#atom()));
    return { kind: "sequence", parts };
  }

  #repeated(part: Pattern): Pattern {
    const [least, most] = this.#counts() ?? [1, 1];
    if (least === 1 && most === 1) return part;
    // Lazy repeats match the same texts as greedy ones.
    this.#takes("?");
    return { kind: "repeat", part, least, most };
  }

  #counts(): readonly [number, number] | null {
    if (this.#takes("*")) return [0, Number.POSITIVE_INFINITY];
    if (this.#takes("+")) return [1, Number.POSITIVE_INFINITY];
    if (this.#takes("?")) return [0, 1];
    const [text, least, comma, most] =
      /^\{(\d+)(,?)(\d*)\}/.exec(this.#characters.slice(this.#at).join("")) ?? [];
    if (text === undefined || least === undefined) return null;
    this.#at += text.length;
    if (comma === "") return [Number(least), Number(least)];
    return [Number(least), most === "" ? Number.POSITIVE_INFINITY : Number(most)];
  }

  #atom(): Pattern {
    const character = this.#take();
    if (character === "(") return this.#group();
    if (character === "[") return { kind: "character", set: this.#class() };
    if (character === ".") return { kind: "character", set: ANY_OF_A_LINE };
    if (character === "\\") return { kind: "character", set: this.#escape() };
    if (character === "^" || character === "$") throw this.#unsupported(character, "an anchor");
    return { kind: "character", set: characterOf(character.codePointAt(0) ?? 0) };
  }

  #group(): Pattern {
    if (this.#takes("?")) {
      const isNamed = this.#peek() === "<" && this.#peek(1) !== "=" && this.#peek(1) !== "!";
      if (isNamed) while (this.#take() !== ">");
      else if (!this.#takes(":")) throw this.#unsupported(`(?${this.#peek()}`, "a lookaround");
    }
    const inside = this.#choice();
    if (!this.#takes(")")) throw this.#unsupported("(", "an unclosed group");
    return inside;
  }

  #escape(): CharacterSet {
    const letter = this.#take();
    const ranges = escapedRanges(letter);
    if (ranges !== null) return { ranges, negated: false };
    return characterOf(this.#codeOf(letter));
  }

  /** Code point of an escaped character. */
  #codeOf(letter: string): number {
    const control = CONTROLS[letter];
    if (control !== undefined) return control;
    const digits = { u: 4, x: 2 }[letter];
    if (digits !== undefined) {
      const hex = this.#characters.slice(this.#at, this.#at + digits).join("");
      this.#at += digits;
      return Number.parseInt(hex, 16);
    }
    if (/[A-Za-z1-9]/.test(letter)) throw this.#unsupported(`\\${letter}`, "no character");
    return letter.codePointAt(0) ?? 0;
  }

  #class(): CharacterSet {
    const negated = this.#takes("^");
    const ranges: CharacterRange[] = [];
    while (!this.#takes("]")) {
      const first = this.#member();
      if (typeof first !== "number") {
        ranges.push(...first);
      } else if (this.#peek() === "-" && this.#peek(1) !== "]") {
        this.#at++;
        const last = this.#member();
        if (typeof last !== "number") throw this.#unsupported("-", "an unclosed range");
        ranges.push([first, last]);
      } else ranges.push([first, first]);
    }
    return { ranges, negated };
  }

  /** A member of a class: a character, or the ranges of an escape. */
  #member(): number | readonly CharacterRange[] {
    const character = this.#take();
    if (character !== "\\") return character.codePointAt(0) ?? 0;
    const letter = this.#take();
    // In a class, `\b` is the backspace.
    if (letter === "b") return 8;
    return escapedRanges(letter) ?? this.#codeOf(letter);
  }
}

/**
 * @param pattern A regular expression in JavaScript syntax.
 * @throws RangeError for look-around, back references, anchors and word boundaries.
 */
export const parsePattern = (pattern: string): Pattern => new Parser(pattern).whole();
