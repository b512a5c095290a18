/** Pieces of a text on their way to a model. */
export interface Piece {
  readonly text: string;
  /** How many units of the text come from the first character of the whole text. */
  readonly head: number;
}

/** A whole text. */
export const wholeText = (text: string): Piece => ({
  text,
  head: text === "" ? 0 : String.fromCodePoint(text.codePointAt(0) ?? 0).length,
});

/** A part of a piece, if there is one. */
export function partOf({ text, head }: Piece, start: number, end: number): readonly Piece[] {
  return end > start ? [{ text: text.slice(start, end), head: Math.max(0, head - start) }] : [];
}

/** White space as Unicode and Rust define it; JavaScript's `\s` has U+FEFF instead of U+0085. */
export const SPACE = "\\p{White_Space}";

/** What Rust's `\w` matches, within brackets. */
export const WORD = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\u200C\\u200D";
