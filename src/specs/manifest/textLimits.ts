/** What a manifest's text may be, looked at before it is parsed: some texts take parsers hours. */
import { Lexer } from "yaml";

/** Characters of a text. */
const MOST_CHARACTERS = 250_000;
/** Words, keys, brackets and the like: about three for each setting. */
const MOST_TOKENS = 10_000;
/** Brackets that are open at once, and entries that begin one within the other on one line. */
const MOST_OPEN = 100;
/** Names that are given with & or used with *. */
const MOST_ANCHORS = 100;

const OPENING = ["[", "{"];
const CLOSING = ["]", "}"];
const ENTRIES = ["-", "?"];

const isBlank = (token: string): boolean => /^[\s\uFEFF]*$/.test(token) || token.startsWith("#");

/** What makes a text too large to be parsed; null for one that is not. Reads the text once, and stops where it is too large. */
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
      return `found more than ${MOST_TOKENS} words, keys and brackets; that is the most a manifest may have`;
    if (open > MOST_OPEN || entries > MOST_OPEN)
      return `found values nested more than ${MOST_OPEN} deep; a manifest's are not`;
    if (anchors > MOST_ANCHORS)
      return `found more than ${MOST_ANCHORS} anchors and aliases; that is the most a manifest may have`;
  }
  return null;
}
