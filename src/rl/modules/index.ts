/** Evolvable modules: plain data, the functions over it, and classes for user-defined networks. */
export {
  type CnnData,
  type CnnLstmData,
  type DuelingData,
  type LstmData,
  type MlpData,
  type MultiInputData,
  type ResnetData,
  type SimbaData,
} from "../../specs/networks.ts";
export { EvolvableCNN, type EvolvableCNNOptions } from "./EvolvableCNN.ts";
export { EvolvableLSTM, type EvolvableLSTMOptions } from "./EvolvableLSTM.ts";
export { EvolvableMLP, type EvolvableMLPOptions } from "./EvolvableMLP.ts";
export { EvolvableModule, type ModuleChange } from "./EvolvableModule.ts";
export { EvolvableMultiInput, type EvolvableMultiInputOptions } from "./EvolvableMultiInput.ts";
export { EvolvableResNet, type EvolvableResNetOptions } from "./EvolvableResNet.ts";
export { EvolvableSimBa, type EvolvableSimBaOptions } from "./EvolvableSimBa.ts";
export { initialise } from "./initialise.ts";
export { mlpData } from "./mlp.ts";
export { definitionOf, type ModuleData, registerModule } from "./moduleData.ts";
export type {
  ForwardContext,
  MemorySpec,
  ModuleDefinition,
  ModuleMutation,
  MutationArguments,
  MutationMethod,
  ObservationPart,
  Parameters,
  RecurrentDefinition,
} from "./moduleDefinition.ts";
