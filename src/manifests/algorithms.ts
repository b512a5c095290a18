/** Door: algorithms by name, and rules of manifests. */
export { type DefinitionNamed, findAlgorithm, namesWith } from "./names.ts";
export { type OutsideName, outsideNames } from "./outsideNames.ts";
export { seedList } from "./sweep/seedList.ts";
export { settingText, shortNames } from "./sweep/settings.ts";
export { oversizedText } from "./textLimits.ts";
