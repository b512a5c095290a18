/** Agents: as plain data, and as objects that act, learn and evolve. */

export { type ActorCriticLosses } from "../../rl/definitions.ts";
export { type NetworkState, type Tensors } from "../../rl/networks.ts";
export type { AgentState, HiddenState, OptimizerState } from "../member/agentState.ts";
export { createAgent } from "../member/createAgent.ts";
export { type GivenModules, givenNetworks } from "../member/givenNetworks.ts";
export type { TrainedName } from "../member/registry.ts";
export { ActingAgent, type TestEnvironment, type TestOptions } from "./ActingAgent.ts";
export type { AgentClass } from "./agentClass.ts";
export {
  type AgentNamed,
  type AgentOptionsNamed,
  agentClasses,
  agentFromState,
  agentsFromStates,
  loadAgent,
  type SupportedAgent,
  type SupportedBandit,
  type SupportedOfflineAgent,
  type SupportedOffPolicyAgent,
  type SupportedOffPolicyTeam,
} from "./agentClasses.ts";
export type { AgentContext, NewAgentOptions, RestoredAgentOptions, SpaceOption } from "./agentOptions.ts";
export { type AgentStore, provideAgentStore, type StoredAgent } from "./agentStore.ts";
export * from "./agents.ts";
export type { MatchOptions, RuleOpponent, SearchOptions } from "./compiledTest.ts";
export { createPopulation, type PopulationOptions } from "./createPopulation.ts";
export { EvolutionAgent } from "./EvolutionAgent.ts";
export { MultiAgentAlgorithm, type TeamActingOptions } from "./MultiAgentAlgorithm.ts";
export {
  type BatchOptions,
  type EpsilonActingOptions,
  type EpsilonActingOptions as DQNActingOptions,
  OffPolicyAgent,
  OffPolicyTeam,
} from "./OffPolicyAgent.ts";
export { OnPolicyAgent, OnPolicyTeam, type SampledActions } from "./OnPolicyAgent.ts";
export { RLAlgorithm } from "./RLAlgorithm.ts";
export * from "./SingleAgentAlgorithm.ts";
export type { AgentAction, TeamMasks } from "./teamRows.ts";
