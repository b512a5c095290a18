/** Door: checks and messages that every room with options shares. */

export {
  checkNames,
  checkOptions,
  isPlain,
  type OptionNames,
  type OptionRule,
  type OptionRules,
  requireOptions,
} from "./checkOptions.ts";
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
export { type OutsideName, outsideNames } from "./outsideNames.ts";
export { checkSpec, parseSpec } from "./parseSpec.ts";
export { dottedPath, FieldError, SpecError } from "./SpecError.ts";
