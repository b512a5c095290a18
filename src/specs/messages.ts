/** Door: words of messages, plain checks and numbers, without a library. */
export { environmentId, NO_ENVIRONMENT } from "./manifestNames.ts";
export * from "./names.ts";
export { isMapping, LARGEST_COUNT, LARGEST_REAL, shorten, VERSION } from "./plain.ts";
