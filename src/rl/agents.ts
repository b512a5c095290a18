/** Door: classes of agents and their buffers. */
export { ActingAgent } from "./agents/ActingAgent.ts";
export type {
  SupportedAgent,
  SupportedBandit,
  SupportedOfflineAgent,
  SupportedOffPolicyAgent,
  SupportedOffPolicyTeam,
} from "./agents/agentClasses.ts";
export { type AgentContext, startingValues } from "./agents/agentOptions.ts";
export { provideAgentStore, type StoredAgent } from "./agents/agentStore.ts";
export { DQN, IPPO, TD3 } from "./agents/agents.ts";
export { agentFromState, agentsFromStates } from "./agents/agentsFromStates.ts";
export { createPopulation } from "./agents/createPopulation.ts";
export { MultiAgentAlgorithm } from "./agents/MultiAgentAlgorithm.ts";
export { OnPolicyAgent } from "./agents/OnPolicyAgent.ts";
export { OnPolicyTeam } from "./agents/OnPolicyTeam.ts";
export { RLAlgorithm } from "./agents/RLAlgorithm.ts";
export type { Experiences } from "./buffers/experiences.ts";
export { MultiStepReplayBuffer } from "./buffers/MultiStepReplayBuffer.ts";
export { PrioritizedReplayBuffer } from "./buffers/PrioritizedReplayBuffer.ts";
export { ReplayBuffer } from "./buffers/ReplayBuffer.ts";
