/** Define a kind of network: its settings, its computation, its mutations (docs/extending/network.md). */
export { type TensorSpec } from "../../evolution/members.ts";
export * from "../../specs/field.ts";
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
