/** How a manifest's text is written. */
export type ManifestFormat = "yaml" | "json";

/**
 * The format that a text is meant to be in: JSON for a file whose name says so, and for a text that begins with a brace
 * or a bracket, which in YAML too is valid JSON or close to it.
 * @param name Of the file that it stands in; none unless given.
 */
export const manifestFormat = (text: string, name = ""): ManifestFormat =>
  /\.json$/i.test(name) || /^\s*[{[]/.test(text) ? "json" : "yaml";
