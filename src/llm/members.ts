/** Door: members: rollouts, batches, updates, files. */
export {
  AgentOnDevice,
  firstPolicy,
  policyShapeOf,
  withPolicy,
} from "./agents/AgentOnDevice.ts";
export type { AgentPlan } from "./agents/agentPlan.ts";
export { ChatAgent, type ChatAnswer, type ChatSettings } from "./agents/ChatAgent.ts";
export { LLMAlgorithm } from "./agents/classes/LLMAlgorithm.ts";
export { LLMDatasetAlgorithm } from "./agents/classes/LLMDatasetAlgorithm.ts";
export { LLMRolloutAlgorithm } from "./agents/classes/LLMRolloutAlgorithm.ts";
export { DatasetRunner } from "./agents/DatasetRunner.ts";
export { copiesTogether } from "./agents/Evolution.ts";
export { memberFields } from "./agents/files/attributes.ts";
export { foldersIn, memberFiles, readWeights, writeMember } from "./agents/files/memberFiles.ts";
export { mergedMember } from "./agents/files/mergedMember.ts";
export { exportOnnx } from "./agents/files/onnxFiles.ts";
export { greedyCompletions } from "./agents/greedyCompletions.ts";
export type { EpisodeRange, Evaluation, MemberRunner } from "./agents/iteration.ts";
export { firstMember, type LlmMember } from "./agents/LlmMember.ts";
export { type PlannedMemory, plannedMemory } from "./agents/plannedMemory.ts";
export { RolloutRunner } from "./agents/RolloutRunner.ts";
export { idleFields, specFaults } from "./agents/specFaults.ts";
export { type ActingSpeed, measureActing } from "./engine/actingSpeed.ts";
export { ACTING_ENGINES, type ActingEngine } from "./engine/Decodings.ts";
export { browserHasGpu, openGpu } from "./engine/ModelOnDevice.ts";
