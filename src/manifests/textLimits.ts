/** Limits of a manifest's text, checked before it is parsed: some texts keep parsers busy for hours. */
import { Lexer } from "yaml";
import { MOST_NESTED, TOO_DEEP } from "./nesting.ts";

/** Maximum number of characters. */
const MOST_CHARACTERS = 250_000;
/** Maximum number of words, keys, brackets and the like: about three for each setting. */
const MOST_TOKENS = 10_000;
/** Maximum number of anchors (&) and aliases (*). */
const MOST_ANCHORS = 100;

const OPENING = ["[", "{"];
const CLOSING = ["]", "}"];
const ENTRIES = ["-", "?"];

const isBlank = (token: string): boolean => /^[\s\uFEFF]*$/.test(token) || token.startsWith("#");

/** Why a text is too large to parse; null if it is not. Reads it once, up to the first exceeded limit. */
export function oversizedText(text: string): string | null {
  if (text.length > MOST_CHARACTERS)
    return `found ${text.length} characters; a manifest has at most ${MOST_CHARACTERS}`;
  let [tokens, open, entries, anchors] = [0, 0, 0, 0];
  for (const token of new Lexer().lex(text)) {
    if (token.includes("\n")) entries = 0;
    if (isBlank(token)) continue;
    tokens++;
    if (OPENING.includes(token)) open++;
    else if (CLOSING.includes(token)) open = Math.max(0, open - 1);
    else if (ENTRIES.includes(token)) entries++;
    else if (token.startsWith("&") || token.startsWith("*")) anchors++;
    if (tokens > MOST_TOKENS)
      return `found more than ${MOST_TOKENS} words, keys and brackets; a manifest may have at most ${MOST_TOKENS}`;
    // Brackets open at once, and nested entries that begin on one line.
    if (open > MOST_NESTED || entries > MOST_NESTED) return TOO_DEEP;
    if (anchors > MOST_ANCHORS)
      return `found more than ${MOST_ANCHORS} anchors and aliases; a manifest may have at most ${MOST_ANCHORS}`;
  }
  return null;
}
