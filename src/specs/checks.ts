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
export { environmentId } from "./environmentId.ts";
export { alternatives, LISTED_KINDS, meant, show, unsupportedMessage } from "./explainName.ts";
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
export { isMapping } from "./isMapping.ts";
export { LARGEST_COUNT, LARGEST_REAL } from "./largest.ts";
export { nearest } from "./nearest.ts";
export { type OutsideName, outsideNames } from "./outsideNames.ts";
export { checkSpec, parseSpec } from "./parseSpec.ts";
export { dottedPath, FieldError, SpecError } from "./SpecError.ts";
export { shorten } from "./shorten.ts";
export { VERSION } from "./version.ts";
