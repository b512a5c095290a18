/** The format of a manifest's text. */
export type ManifestFormat = "yaml" | "json";

/**
 * The intended format of a text: JSON if the file's name ends in .json, or if the text begins with a brace or
 * a bracket (YAML that begins this way is valid JSON or close to it).
 * @param name Name of the file that contains the text (default: none).
 */
export const manifestFormat = (text: string, name = ""): ManifestFormat =>
  /\.json$/i.test(name) || /^\s*[{[]/.test(text) ? "json" : "yaml";
