/** Define a kind of network: its settings, its computation, its mutations (docs/extending/network.md). */
export { type TensorSpec } from "../../evolution/members.ts";
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
} from "../../specs/checks.ts";
export { Activation } from "../../specs/networks.ts";
export { type ArchitectureDefinition, defineArchitecture } from "../modules/all.ts";
export * from "../modules/layers.ts";
export { registerModule } from "../modules/moduleData.ts";
export type * from "../modules/moduleDefinition.ts";
export {
  type BoundsRule,
  CHANNEL_STEPS,
  NODE_STEPS,
  type SizeRule,
  type StackRule,
  storedBound,
  storedFields,
  storedImage,
  storedSize,
} from "../modules/settings.ts";
export { registerArchitecture } from "../sections/EncoderSpec.ts";
export { type ObservationKind } from "../spaces/Space.ts";
