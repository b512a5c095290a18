/** API for defining algorithms (docs/extending/algorithm.md). */
export { agentClass } from "../rl/agents/agentClass.ts";
export {
  gaussianOf,
  type Policy,
  policyOf,
  type SquashedGaussian,
} from "../rl/algorithms/actionDistribution.ts";
export { toBounds, withinBounds } from "../rl/algorithms/boxActions.ts";
export * from "../rl/algorithms/continuousControl.ts";
export { targetValue, valueOf as valueOfChoice } from "../rl/algorithms/qLearning.ts";
export { registerAlgorithm } from "../rl/algorithms/registry.ts";
export * from "../rl/algorithms/valueMetrics.ts";
export * from "../rl/contract/choices.ts";
export type {
  ActionKind,
  Definition,
  Draws,
  Learned,
  NetworkContext,
  OptimizerDefinition,
  ParameterData,
  ParameterValues,
} from "../rl/contract/definition.ts";
export { flag, type Hyperparameters } from "../rl/contract/hyperparameters.ts";
export { counter, countHyperparameter, hyperparameter, normals } from "../rl/contract/inputs.ts";
export { learningNormals, weightNoise } from "../rl/contract/learningNoise.ts";
export { Network } from "../rl/contract/network.ts";
export type { Latents, Networks } from "../rl/contract/networks.ts";
export * from "../rl/contract/offPolicy.ts";
export * from "../rl/contract/onPolicy.ts";
export * from "../rl/networks/buildNetworks.ts";
export type { NetworkData } from "../rl/networks/networkData.ts";
export * from "../rl/spaces/choices.ts";
export * from "../rl/spaces/index.ts";
export { MultiAgentAlgorithmSpec, SingleAgentAlgorithmSpec } from "../specs/algorithms/AlgorithmSpec.ts";
export { type AlgorithmDefinition, defineAlgorithm } from "../specs/algorithms/defineAlgorithm.ts";
export * from "../specs/algorithms/explorationNoise.ts";
export { registerAlgorithmSpec } from "../specs/algorithms/names.ts";
export * from "../specs/field.ts";
