/**
 * The text of a manifest before it is parsed: its format, its limits (some texts keep parsers busy for hours), and
 * what parsers complain about.
 */
import { Lexer } from "yaml";
import { MOST_NESTED, TOO_DEEP } from "./parseManifestObject.ts";

/** The format of a manifest's text. */
export type ManifestFormat = "yaml" | "json";

/**
 * The intended format of a text: JSON if the file's name ends in .json, or if the text begins with a brace or
 * a bracket (YAML that begins this way is valid JSON or close to it).
 * @param name Name of the file that contains the text (default: none).
 */
export const manifestFormat = (text: string, name = ""): ManifestFormat =>
  /\.json$/i.test(name) || /^\s*[{[]/.test(text) ? "json" : "yaml";

/** Messages of the YAML parser, reworded for JSON. */
const IN_JSON: readonly (readonly [RegExp, string])[] = [
  [/^(?:Implicit keys need to be on a single line|Block collections are not allowed .*)$/, "Missing ,"],
  [/ in block collection must be sufficiently indented and end with/, " must end with"],
  [/^Unexpected flow-(?:map|seq)-end token in YAML stream: "(.)"$/, "Unexpected $1"],
  [/flow map items/i, "members of an object"],
  [/flow map/i, "object"],
  [/flow sequence/i, "array"],
  [/^Map keys must be unique$/, "Keys of an object must be unique"],
  [/^Plain value/, "Value"],
  [/^Missing closing (.)quote$/, "Missing closing $1"],
];

/** Messages of the YAML parser about a key without its colon, which do not mention the colon. */
const WITHOUT_COLON =
  /^(?:Implicit keys need to be on a single line|Implicit map keys need to be followed by map values)$/;

/** Words a parser's message for the intended format of the text. */
export function syntaxMessage(format: ManifestFormat, complaint: string): string {
  if (format === "yaml")
    return `not valid YAML: ${WITHOUT_COLON.test(complaint) ? 'a key on this line has no ":" after it' : complaint}`;
  const inJson = IN_JSON.reduce((text, [words, own]) => text.replace(words, own), complaint);
  return `not valid JSON: ${inJson.charAt(0).toUpperCase()}${inJson.slice(1)}`;
}

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
