/** Door: kinds of runs and their parts. */

export { checkModelFolder } from "./llm/agentPlanOf.ts";
export { fetchHubNeeds, hubNeeds, listingText, missingHubRows } from "./llm/hubNeeds.ts";
export { actingText } from "./llm/LlmWasmExecutor.ts";
export { LLM_WORKLOAD } from "./llm/LlmWorkload.ts";
export { type LanguageEstimate, languageNeeds } from "./llm/languageNeeds.ts";
export { llmPlanOf, trainsLanguageModel } from "./llm/llmPlan.ts";
export { memberDirectory, memberFileAt, writeMemberOnnx, writeMergedMember } from "./llm/memberDirectory.ts";
export { isMemberFile } from "./llm/memberFile.ts";
export { type ModelCard, modelCard } from "./llm/modelCard.ts";
export { MODELS_DIRECTORY, modelFoldersOf, modelPath } from "./llm/modelFolders.ts";
export { betweenTurns } from "./llm/modelLock.ts";
export { openChat } from "./llm/openChat.ts";
export { openData } from "./llm/openData.ts";
export type { Executor, MemberTurn, RlKinds, RunSetup, TurnOutcome, Written } from "./rl/kinds.ts";
export { decodeLanes, encodeLanes } from "./rl/laneFiles.ts";
export { type MemberTurns, registeredMembers } from "./rl/memberSource.ts";
export { keptModule } from "./rl/moduleFile.ts";
export { networkStructures, RL_WORKLOAD } from "./rl/RlWorkload.ts";
export { rlTurnRunner } from "./rl/rlTurnRunner.ts";
export type { RunState } from "./rl/runState.ts";
export { explainWith } from "./trainers/explainMutation.ts";
export { decodeRun } from "./workloads/decodeRun.ts";
export { type LoadedCheckpoint, loadCheckpoint, loadEliteFile } from "./workloads/loadCheckpoint.ts";
export { reinforcementLearning, rlAgentOf } from "./workloads/reinforcementLearning.ts";
