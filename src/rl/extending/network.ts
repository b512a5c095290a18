/** API for defining kinds of network (docs/extending/network.md). */
export type { TensorSpec } from "../../evolution/tensorSpec.ts";
export * from "../../specs/field.ts";
export { Activation } from "../../specs/networks/Activation.ts";
export {
  type ArchitectureDefinition,
  defineArchitecture,
  type ObservationKind,
} from "../../specs/networks/defineArchitecture.ts";
export { registerArchitecture } from "../../specs/networks/EncoderSpec.ts";
export { storedBound, storedFields, storedImage, storedSize } from "../../specs/networks/settings.ts";
export type { BoundsRule, SizeRule, StackRule } from "../../specs/networks/sizeBounds.ts";
export * from "../modules/layers.ts";
export { registerModule } from "../modules/moduleData.ts";
export type {
  AnyModuleData,
  ForwardContext,
  MemorySpec,
  ModuleDefinition,
  ModuleEnds,
  ModuleMutation,
  MutationArguments,
  MutationMethod,
  ObservationPart,
  Observed,
  Parameters,
  RecurrentDefinition,
} from "../modules/moduleDefinition.ts";
export { CHANNEL_STEPS, NODE_STEPS } from "../modules/mutationSteps.ts";
