/** Door: what an algorithm defines, and what it gets. */
export type { Algorithm } from "./contract/algorithm.ts";
export {
  actionType,
  appliedAction,
  environmentAction,
  legalActions,
  legalValues,
  policyAction,
  randomChoice,
} from "./contract/choices.ts";
export {
  type ActionKind,
  type Definition,
  type Draws,
  type LastLayer,
  type Learned,
  type NetworkContext,
  type OptimizerDefinition,
  type ParameterData,
  type ParameterValues,
  parameterName,
} from "./contract/definition.ts";
export { memberOf, withFamilies } from "./contract/families.ts";
export {
  flag,
  type Hyperparameters,
  type NumberIn,
  requireHyperparameters,
  requireRead,
} from "./contract/hyperparameters.ts";
export {
  counter,
  countHyperparameter,
  hyperparameter,
  hyperparameterName,
  hyperparametersIn,
  LEARNED,
  normals,
  SYMBOLS,
} from "./contract/inputs.ts";
export { learningNormals, weightNoise } from "./contract/learningNoise.ts";
export { Network } from "./contract/network.ts";
export type { Latents, Networks } from "./contract/networks.ts";
export {
  type Batch,
  type DelayedLearning,
  defineOffPolicy,
  type Exploration,
  type Learn,
  type LearnedBatch,
  type OffPolicyAlgorithm,
  type OffPolicyTypes,
  type Outcome,
} from "./contract/offPolicy.ts";
export {
  defineOnPolicy,
  type OnPolicyAlgorithm,
  type OnPolicyTypes,
  type RolloutBatch,
  type RolloutReport,
  type Sample,
} from "./contract/onPolicy.ts";
export { groupOf, keysOf, requireAgents, type TeamKey, teamOf } from "./contract/team.ts";
export { agentsProblem } from "./contract/unsuited.ts";
