/** Door: classes of agents and their buffers. */

export type { Experiences } from "./buffers/experiences.ts";
export { MultiStepReplayBuffer } from "./buffers/MultiStepReplayBuffer.ts";
export { PrioritizedReplayBuffer } from "./buffers/PrioritizedReplayBuffer.ts";
export { ReplayBuffer } from "./buffers/ReplayBuffer.ts";
export { ActingAgent } from "./classes/ActingAgent.ts";
export {
  agentFromState,
  agentsFromStates,
  type SupportedAgent,
  type SupportedBandit,
  type SupportedOfflineAgent,
  type SupportedOffPolicyAgent,
  type SupportedOffPolicyTeam,
} from "./classes/agentClasses.ts";
export { type AgentContext, startingValues } from "./classes/agentOptions.ts";
export { provideAgentStore, type StoredAgent } from "./classes/agentStore.ts";
export * from "./classes/agents.ts";
export {
  type MatchOptions,
  opponentsIn,
  RULE_OPPONENTS,
  type RuleOpponent,
  testCompiled,
  testTurn,
} from "./classes/compiledTest.ts";
export { createPopulation } from "./classes/createPopulation.ts";
export { EvolutionAgent } from "./classes/EvolutionAgent.ts";
export { MultiAgentAlgorithm } from "./classes/MultiAgentAlgorithm.ts";
export { OnPolicyAgent, OnPolicyTeam } from "./classes/OnPolicyAgent.ts";
export { RLAlgorithm } from "./classes/RLAlgorithm.ts";
