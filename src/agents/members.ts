/** Door: members, their turns and what runs them. */
export { HostMemberRunner, type HostMemberRunnerOptions } from "./host/HostMemberRunner.ts";
export type { CollectRollouts } from "./host/hostRollout.ts";
export {
  type AgentState,
  hiddenSizes,
  type OptimizerState,
  type ParameterState,
} from "./member/agentState.ts";
export { createAgent, freshOptimizer, scalarsOf } from "./member/createAgent.ts";
export { type EvolutionOptions, EvolvableAgent } from "./member/EvolvableAgent.ts";
export { type GivenTeamModules, givenNetworks, givenTeamNetworks } from "./member/givenNetworks.ts";
export { type MemberSize, memberSize } from "./member/memberSize.ts";
export {
  cloneAgent,
  mutateActivation,
  mutateArchitecture,
  mutateParameters,
  type NetworkRoles,
} from "./member/mutateAgent.ts";
export type { GivenNetwork } from "./member/networkOf.ts";
export { algorithmOf, findAlgorithm, notTrained, trainedNames } from "./member/registry.ts";
export { networkCopyPlan, resizeNetwork, resizeOptimizer, withAgentWeights } from "./member/resizeNetwork.ts";
export { requireOwnSpaces } from "./member/stateFit.ts";
export {
  agentContents,
  agentFrom,
  keyContents,
  learnedIn,
  metricsIn,
  type ReadBuffer,
} from "./runtime/agentBuffers.ts";
export {
  type Evaluation,
  type EvaluationPass,
  evaluationOf,
  scoreShare,
  settled,
} from "./runtime/evaluation.ts";
export {
  forgetRows,
  noPriorities,
  offPolicyContents,
  offPolicySizes,
  type Priorities,
  prioritiesIn,
  type TurnPriorities,
  visiblePriorities,
} from "./runtime/priorities.ts";
export {
  agePrograms,
  type CompiledPurpose,
  compiledProgram,
  hostProgram,
  SLICED_TURN,
  structureOf,
} from "./runtime/programSet.ts";
export {
  arrayOf,
  copyRows,
  eachField,
  emptyRows,
  firstNoByte,
  PART_BYTES,
  packRows,
  type ReplayArray,
  type ReplayRows,
  unpackRows,
  zerosLike,
} from "./runtime/replayRows.ts";
export { appended, type Segment, segmentRows, visiblePart } from "./runtime/replaySegments.ts";
export { rolloutCount, rolloutSizes } from "./runtime/rolloutSizes.ts";
export { bindAgent, type Sizes } from "./runtime/sizes.ts";
export {
  drain,
  type OffPolicyTurn,
  PURPOSE,
  programSteps,
  type Slice,
  stepsTaken,
  type Turn,
  type TurnResult,
  vectorSteps,
} from "./runtime/turn.ts";
export { evaluatedResult, requireFinite, trainedMember, turnResult } from "./runtime/turnResult.ts";
export { AgentSession } from "./runtime/wasm/AgentSession.ts";
export { DeviceReplay } from "./runtime/wasm/DeviceReplay.ts";
export { environmentSeed } from "./runtime/wasm/hostEvaluation.ts";
export { resetLanes, stepLanes } from "./runtime/wasm/hostLanes.ts";
export { MemberRunner } from "./runtime/wasm/MemberRunner.ts";
export { Residence } from "./runtime/wasm/Residence.ts";
export { GpuMembers, type ReadMembers, Together } from "./runtime/webgpu/GpuMembers.ts";
export { isSliced, sliceBindings, slicesOf } from "./runtime/webgpu/slices.ts";
