/** Evolvable modules: plain data, the functions over it, and classes for callers' own networks. */
export { dueling } from "./dueling.ts";
export { type DuelingData, type DuelingOptions, duelingData } from "./duelingData.ts";
export { EvolvableMLP, type EvolvableMLPOptions } from "./EvolvableMLP.ts";
export { EvolvableModule, type ModuleChange } from "./EvolvableModule.ts";
export { initialise } from "./initialise.ts";
export { mlp } from "./mlp.ts";
export { type MlpData, mlpData } from "./mlpData.ts";
export { definitionOf, type ModuleData } from "./moduleData.ts";
export type {
  ForwardContext,
  ModuleDefinition,
  ModuleMutation,
  MutationArguments,
  MutationMethod,
  Parameters,
} from "./moduleDefinition.ts";
