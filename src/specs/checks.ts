/** Door: checks and messages that every room with options shares. */

export { aliasesOf, type Prepared, withAliases } from "./aliases.ts";
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
  fieldsSet,
  fieldsWithoutEffect,
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
export { checkSpec, parseSpec, type SpecResult } from "./parseSpec.ts";
export {
  dottedPath,
  FieldError,
  limitIssues,
  MOST_ISSUES,
  SpecError,
  type SpecIssue,
  type SpecIssueCode,
} from "./SpecError.ts";
export { option, tagged, type UnionTag } from "./taggedUnion.ts";
