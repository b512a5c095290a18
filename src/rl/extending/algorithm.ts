/** API for defining algorithms (docs/extending/algorithm.md). */

export {
  ACTOR_CRITIC_HP,
  type AlgorithmDefinition,
  actorCriticRates,
  defineAlgorithm,
  explorationNoiseShape,
  learningRate,
  MultiAgentAlgorithmSpec,
  policyFreq,
  registerAlgorithmSpec,
  SingleAgentAlgorithmSpec,
} from "../../specs/algorithms.ts";
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
export { agentClass } from "../agents/agentClass.ts";
export {
  gaussianOf,
  type Policy,
  policyOf,
  type SquashedGaussian,
} from "../algorithms/actionDistribution.ts";
export { toBounds, withinBounds } from "../algorithms/boxActions.ts";
export * from "../algorithms/continuousControl.ts";
export { targetValue, valueOf as valueOfChoice } from "../algorithms/qLearning.ts";
export { registerAlgorithm } from "../algorithms/registry.ts";
export * from "../algorithms/valueMetrics.ts";
export * from "../contract/choices.ts";
export type {
  ActionKind,
  Definition,
  Draws,
  Learned,
  NetworkContext,
  OptimizerDefinition,
  ParameterData,
  ParameterValues,
} from "../contract/definition.ts";
export { flag, type Hyperparameters } from "../contract/hyperparameters.ts";
export { counter, countHyperparameter, hyperparameter, normals } from "../contract/inputs.ts";
export { learningNormals, weightNoise } from "../contract/learningNoise.ts";
export { Network } from "../contract/network.ts";
export type { Latents, Networks } from "../contract/networks.ts";
export * from "../contract/offPolicy.ts";
export * from "../contract/onPolicy.ts";
export * from "../networks/buildNetworks.ts";
export type { NetworkData } from "../networks/networkData.ts";
export * from "../spaces/choices.ts";
export * from "../spaces/index.ts";
