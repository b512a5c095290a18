/** Evolvable modules: plain data, the functions over it, and classes for callers' own networks. */
export type { CnnData } from "./cnnData.ts";
export type { CnnLstmData } from "./cnnLstmData.ts";
export type { DuelingData } from "./duelingData.ts";
export { EvolvableCNN, type EvolvableCNNOptions } from "./EvolvableCNN.ts";
export { EvolvableLSTM, type EvolvableLSTMOptions } from "./EvolvableLSTM.ts";
export { EvolvableMLP, type EvolvableMLPOptions } from "./EvolvableMLP.ts";
export { EvolvableModule, type ModuleChange } from "./EvolvableModule.ts";
export { EvolvableMultiInput, type EvolvableMultiInputOptions } from "./EvolvableMultiInput.ts";
export { EvolvableResNet, type EvolvableResNetOptions } from "./EvolvableResNet.ts";
export { EvolvableSimBa, type EvolvableSimBaOptions } from "./EvolvableSimBa.ts";
export { initialise } from "./initialise.ts";
export type { LstmData } from "./lstmData.ts";
export { type MlpData, mlpData } from "./mlpData.ts";
export { definitionOf, type ModuleData } from "./moduleData.ts";
export type {
  ForwardContext,
  MemorySpec,
  ModuleDefinition,
  ModuleMutation,
  MutationArguments,
  MutationMethod,
  Parameters,
  RecurrentDefinition,
} from "./moduleDefinition.ts";
export type { MultiInputData, ObservationPart } from "./multiInputData.ts";
export type { ResnetData } from "./resnetData.ts";
export type { SimbaData } from "./simbaData.ts";
