/** Door: manifests as text, with the parser of YAML; loaded on demand. */
export {
  checkManifestText,
  checkRunsText,
  parseManifestText,
  parseSpecText,
  readSpecText,
  stagesInText,
} from "./manifestText.ts";
export { yamlNumbers } from "./manifestToYaml.ts";
export { type ManifestFormat, manifestFormat, syntaxMessage } from "./textLimits.ts";
