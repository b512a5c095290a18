import type { ManifestFormat } from "./manifestFormat.ts";

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
