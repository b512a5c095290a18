/** Agents: as plain data, and as objects that act, learn and evolve. */

export type { AgentState, OptimizerState } from "../member/agentState.ts";
export { createAgent } from "../member/createAgent.ts";
export { type GivenModules, givenNetworks } from "../member/givenNetworks.ts";
export type { HiddenState } from "../member/hiddenState.ts";
export type { NetworkState, Tensors } from "../networks/networkState.ts";
export type { AgentContext, NewAgentOptions, RestoredAgentOptions } from "./agentOptions.ts";
export { type AgentStore, provideAgentStore, type StoredAgent } from "./agentStore.ts";
export {
  agentFromState,
  agentsFromStates,
  loadAgent,
  type SupportedAgent,
  type SupportedOffPolicyAgent,
} from "./agentsFromStates.ts";
export { createPopulation, type PopulationOptions } from "./createPopulation.ts";
export { DDPG, type DDPGOptions } from "./DDPG.ts";
export type { ActorCriticLosses } from "./DeterministicAgent.ts";
export { DQN, type DQNActingOptions, type DQNOptions } from "./DQN.ts";
export type { BatchOptions } from "./OffPolicyAgent.ts";
export { PPO, type PPOOptions, type SampledActions } from "./PPO.ts";
export { RainbowDQN, type RainbowDQNOptions } from "./RainbowDQN.ts";
export { RLAlgorithm } from "./RLAlgorithm.ts";
export {
  type ActingOptions,
  type Observation,
  SingleAgentAlgorithm,
  type TestOptions,
} from "./SingleAgentAlgorithm.ts";
export { TD3, type TD3Options } from "./TD3.ts";
