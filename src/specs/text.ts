/** Door: manifests as text, with the parser of YAML; loaded on demand. */
export { type ManifestFormat, manifestFormat } from "./manifest/manifestFormat.ts";
export { checkManifestText, parseManifestText } from "./manifest/manifestText.ts";
export { syntaxMessage } from "./manifest/syntaxMessage.ts";
export { yamlNumbers } from "./manifest/yamlNumbers.ts";
