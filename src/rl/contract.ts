/** Door: what an algorithm defines, and what it gets. */
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
  agentsProblem,
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
  counter,
  countHyperparameter,
  flag,
  type Hyperparameters,
  hyperparameter,
  hyperparameterName,
  hyperparametersIn,
  LEARNED,
  learningNormals,
  type NumberIn,
  normals,
  requireHyperparameters,
  requireRead,
  SYMBOLS,
  weightNoise,
} from "./contract/inputs.ts";
export { type Latents, Network, type Networks } from "./contract/network.ts";
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
  type Algorithm,
  defineOnPolicy,
  type OnPolicyAlgorithm,
  type OnPolicyTypes,
  type RolloutBatch,
  type RolloutReport,
  type Sample,
} from "./contract/onPolicy.ts";
export { groupOf, keysOf, requireAgents, type TeamKey, teamOf } from "./contract/team.ts";
export { MultiAgentAlgorithmSpec, SingleAgentAlgorithmSpec } from "./sections/agentSpecs.ts";
