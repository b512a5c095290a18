/** Door: networks, algorithms, members and their turns. */
export { findAlgorithm, notTrained, trainedNames } from "./algorithms/registry.ts";
export { actionType } from "./contract/choices.ts";
export { parameterName } from "./contract/definition.ts";
export { groupOf } from "./contract/team.ts";
export { agentsProblem } from "./contract/unsuited.ts";
export { HostMemberRunner, type HostMemberRunnerOptions } from "./host/HostMemberRunner.ts";
export type { CollectRollouts } from "./host/hostRollout.ts";
export type { AgentState, OptimizerState, ParameterState } from "./member/agentState.ts";
export { algorithmOf } from "./member/algorithmOf.ts";
export { createAgent, freshOptimizer, scalarsOf } from "./member/createAgent.ts";
export { EvolvableAgent } from "./member/EvolvableAgent.ts";
export { givenNetworks } from "./member/givenNetworks.ts";
export { type GivenTeamModules, givenTeamNetworks } from "./member/givenTeamNetworks.ts";
export { hiddenSizes } from "./member/hiddenState.ts";
export { type MemberSize, memberSize } from "./member/memberSize.ts";
export { mutateActivation, mutateArchitecture, mutateParameters } from "./member/mutateAgent.ts";
export type { GivenNetwork } from "./member/networkOf.ts";
export { networkCopyPlan } from "./member/resizeNetwork.ts";
export { requireOwnSpaces } from "./member/stateFit.ts";
export { withAgentWeights } from "./member/withAgentWeights.ts";
export { EvolvableMLP } from "./modules/EvolvableMLP.ts";
export { EvolvableModule } from "./modules/EvolvableModule.ts";
export { mlpData } from "./modules/mlp.ts";
export { listModules, type ModuleData } from "./modules/moduleData.ts";
export { describeNetwork } from "./networks/describeNetwork.ts";
export { atomsOf, NETWORK_KINDS, type NetworkData } from "./networks/networkData.ts";
export type { NetworkState, Tensors } from "./networks/networkState.ts";
export { networkStructure } from "./networks/networkStructure.ts";
export { initNetwork, networkTensors } from "./networks/networkTensors.ts";
export { learningMetrics, playMetrics } from "./programs/metrics.ts";
export { learnProgram, type OffPolicyStructure } from "./programs/offPolicy.ts";
export { replayStates } from "./programs/replay.ts";
export {
  type MemoryKind,
  observationField,
  PLAIN_MEMORY,
  REPLAY_FIELDS,
  type ReplayFieldName,
  replayFields,
} from "./programs/replayFields.ts";
export { bytesIn, isPacked, numbersIn, type ReplayField, rowWords } from "./programs/rowLayout.ts";
export { LEARNING, MOST_PLAYED } from "./programs/slicedOffPolicy.ts";
export { hasValue } from "./programs/value.ts";
export {
  agentContents,
  agentFrom,
  keyContents,
  learnedIn,
  metricsIn,
  type ReadBuffer,
} from "./runtime/agentBuffers.ts";
export { type Evaluation, type EvaluationPass, evaluationOf, scoreShare } from "./runtime/evaluation.ts";
export { offPolicyContents, offPolicySizes } from "./runtime/offPolicyTurn.ts";
export {
  forgetRows,
  noPriorities,
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
export { settled } from "./runtime/settled.ts";
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
export { trainedMember, turnResult } from "./runtime/turnResult.ts";
export { AgentSession } from "./runtime/wasm/AgentSession.ts";
export { DeviceReplay } from "./runtime/wasm/DeviceReplay.ts";
export { environmentSeed } from "./runtime/wasm/hostEvaluation.ts";
export { resetLanes, stepLanes } from "./runtime/wasm/hostLanes.ts";
export { MemberRunner } from "./runtime/wasm/MemberRunner.ts";
export { Residence } from "./runtime/wasm/Residence.ts";
export { GpuMembers, type ReadMembers, Together } from "./runtime/webgpu/GpuMembers.ts";
export { isSliced, sliceBindings, slicesOf } from "./runtime/webgpu/slices.ts";
