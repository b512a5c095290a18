/** Door: checks and messages that every room with options shares. */

export { aliasesOf, type Prepared, withAliases } from "./aliases.ts";
export * from "./checkOptions.ts";
export { isSetElsewhere } from "./explain.ts";
export * from "./field.ts";
export * from "./optionRules.ts";
export { checkSpec, parseSpec, type SpecResult } from "./parseSpec.ts";
export * from "./SpecError.ts";
export * from "./setFields.ts";
export { option, tagged, type UnionTag } from "./taggedUnion.ts";
