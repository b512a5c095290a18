/** Door: words of messages, plain checks and numbers, without a library. */
export { environmentId } from "./environmentId.ts";
export { alternatives, explainName, LISTED_KINDS, meant, show, unsupportedMessage } from "./explainName.ts";
export { isMapping } from "./isMapping.ts";
export { LARGEST_COUNT, LARGEST_REAL } from "./largest.ts";
export { nearest } from "./nearest.ts";
export { shorten } from "./shorten.ts";
export { VERSION } from "./version.ts";
