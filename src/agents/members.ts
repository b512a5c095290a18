/** Door: members, their turns and what runs them. */

export * from "./buffers/priorities.ts";
export { type RolloutTarget, writeRollout } from "./buffers/RolloutCheck.ts";
export * from "./buffers/replayRows.ts";
export { besides } from "./buffers/teamExperiences.ts";
export { HostMemberRunner, type HostMemberRunnerOptions, MasksFound } from "./host/HostMemberRunner.ts";
export type { CollectRollouts } from "./host/hostRollout.ts";
export type { LearnedTurn, MemberLearner } from "./host/MemberLearner.ts";
export { searchOnHost } from "./host/searchOnHost.ts";
export { normalizationNotice, withNormalizationOf } from "./member/adoptedNormalization.ts";
export {
  type AgentState,
  hiddenSizes,
  mapStatistics,
  type OptimizerState,
  type ParameterState,
  type RunningStatistics,
} from "./member/agentState.ts";
export { createAgent, freshOptimizer, normalizationOf, scalarsOf } from "./member/createAgent.ts";
export { type EvolutionOptions, EvolvableAgent } from "./member/EvolvableAgent.ts";
export { type GivenTeamModules, givenNetworks, givenTeamNetworks } from "./member/givenNetworks.ts";
export { learnsFromData, withDataPolicy } from "./member/learnedFromData.ts";
export { type MemberSize, memberSize } from "./member/memberSize.ts";
export * from "./member/mutateAgent.ts";
export type { GivenNetwork } from "./member/networkOf.ts";
export {
  algorithmOf,
  findAlgorithm,
  notTrained,
  playerOnly,
  policyOnly,
  trainedNames,
} from "./member/registry.ts";
export { networkCopyPlan, resizeNetwork, resizeOptimizer, withAgentWeights } from "./member/resizeNetwork.ts";
export { requireOwnSpaces, requireOwnStatistics } from "./member/stateFit.ts";
export {
  agentContents,
  agentFrom,
  keyContents,
  learnedIn,
  metricsIn,
  prioritiesIn,
  type ReadBuffer,
} from "./runtime/agentBuffers.ts";
export type { FittedQScale, FittedQSettings } from "./runtime/fittedQAgent.ts";
export { beginningIn, type LaneState, laneBuffersIn, lanesAfter, placeLanes } from "./runtime/laneState.ts";
export * from "./runtime/opponents.ts";
export * from "./runtime/programInputs.ts";
export * from "./runtime/programSet.ts";
export { episodeSizes, ToldEpisodes, toldIterations } from "./runtime/ToldEpisodes.ts";
export * from "./runtime/turn.ts";
export * from "./runtime/turnResult.ts";
export { AgentSession } from "./runtime/wasm/AgentSession.ts";
export { DeviceReplay } from "./runtime/wasm/DeviceReplay.ts";
export { type FittedEstimate, FittedQ, type HeldOut } from "./runtime/wasm/FittedQ.ts";
export { GameSearch, type SearchedPosition } from "./runtime/wasm/GameSearch.ts";
export { environmentSeed, resetLanes, stepLanes } from "./runtime/wasm/hostLanes.ts";
export { MemberRunner } from "./runtime/wasm/MemberRunner.ts";
export { type CopyOfTurn, perturbedCopy } from "./runtime/wasm/perturbedCopy.ts";
export { Residence } from "./runtime/wasm/Residence.ts";
export { GpuMembers, type ReadMembers, Together } from "./runtime/webgpu/GpuMembers.ts";
export { isSliced, sliceBindings, slicesOf } from "./runtime/webgpu/slices.ts";
