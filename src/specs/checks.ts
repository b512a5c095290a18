/** Door: checks and messages that every room with options shares. */

export { aliasesOf, withAliases } from "./aliases.ts";
export {
  checkNames,
  checkOptions,
  isPlain,
  type OptionNames,
  type OptionRule,
  type OptionRules,
  requireOptions,
} from "./checkOptions.ts";
export { isSetElsewhere } from "./explain.ts";
export {
  atLeast,
  count,
  EFFECT_KEY,
  type FieldHints,
  field,
  fraction,
  HPO_RANGE_KEY,
  type HpoRange,
  hpoRangeOf,
  integer,
  layerSizes,
  layers,
  MOST_LAYERS,
  MUTABLE_KEY,
  mapping,
  OUTSIDE_KEY,
  RLKIT_ONLY_KEY,
  real,
} from "./field.ts";
export { fieldsSet, fieldsWithoutEffect } from "./fieldsSet.ts";
export { limitIssues, MOST_ISSUES } from "./limitIssues.ts";
export { checkSpec, parseSpec, type SpecResult } from "./parseSpec.ts";
export { dottedPath, FieldError, SpecError, type SpecIssue, type SpecIssueCode } from "./SpecError.ts";
export { tagged } from "./taggedUnion.ts";
