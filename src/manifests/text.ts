/** Door: manifests as text, with the parser of YAML; loaded on demand. */
export { type ManifestFormat, manifestFormat } from "./manifestFormat.ts";
export { checkManifestText, parseManifestText } from "./manifestText.ts";
export { syntaxMessage } from "./syntaxMessage.ts";
export { yamlNumbers } from "./yamlNumbers.ts";
