/** Agents: as plain data, and as objects that act, learn and evolve. */
export type { AgentContext, NewAgentOptions, RestoredAgentOptions } from "./agentOptions.ts";
export type { AgentState, NetworkState, OptimizerState, Tensors } from "./agentState.ts";
export { type AgentStore, provideAgentStore, type StoredAgent } from "./agentStore.ts";
export { agentFromState, agentsFromStates, loadAgent, type SupportedAgent } from "./agentsFromStates.ts";
export { createAgent } from "./createAgent.ts";
export { createPopulation, type PopulationOptions } from "./createPopulation.ts";
export { DQN, type DQNActingOptions, type DQNOptions } from "./DQN.ts";
export { type GivenModules, givenNetworks } from "./givenNetworks.ts";
export { PPO, type PPOOptions, type SampledActions } from "./PPO.ts";
export { RLAlgorithm } from "./RLAlgorithm.ts";
export {
  type ActingOptions,
  type Observation,
  SingleAgentAlgorithm,
  type TestOptions,
} from "./SingleAgentAlgorithm.ts";
