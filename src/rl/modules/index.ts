/** Evolvable modules: plain data, and the functions over it. */
export { initialise } from "./initialise.ts";
export { mlp } from "./mlp.ts";
export { type MlpData, type MlpSettings, mlpData } from "./mlpData.ts";
export { definitionOf, type ModuleData } from "./moduleData.ts";
export type {
  ModuleDefinition,
  ModuleMutation,
  MutationArguments,
  MutationMethod,
  Parameters,
} from "./moduleDefinition.ts";
