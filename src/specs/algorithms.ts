/** Door: schemas of algorithms. */
export { MultiAgentAlgorithmSpec, SingleAgentAlgorithmSpec } from "./algorithms/AlgorithmSpec.ts";
export { type AlgorithmDefinition, defineAlgorithm } from "./algorithms/defineAlgorithm.ts";
export {
  ACTOR_CRITIC_HP,
  actorCriticRates,
  explorationNoiseShape,
  learningRate,
  policyFreq,
} from "./algorithms/explorationNoise.ts";
export { NEURAL_UCB_DEFINITION } from "./algorithms/NeuralBanditSpec.ts";
export {
  type AlgorithmName,
  type DefinitionNamed,
  namesWith,
  registerAlgorithmSpec,
} from "./algorithms/names.ts";
export { outsideRange, rangeProblems } from "./algorithms/rangeProblems.ts";
export { algorithmDefinition } from "./algorithms/registry.ts";
export { CosineLRScheduleConfig } from "./algorithms/VLLMConfig.ts";
