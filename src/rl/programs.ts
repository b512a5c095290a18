/** Door: programs of a member's turn. */
export { DEMONSTRATIONS } from "./programs/demonstrations.ts";
export {
  evaluateProgram,
  greedyProgram,
  SUCCESSES,
  watchedLayer,
  watchedProgram,
} from "./programs/evaluation.ts";
export {
  EVOLUTION,
  type EvolutionStructure,
  evolutionProgram,
  TOLD_ITERATIONS,
} from "./programs/evolution.ts";
export { ESTIMATES, estimateProgram } from "./programs/fittedQ.ts";
export { gameOf, unsearchable } from "./programs/game.ts";
export {
  copyBuffer,
  copyProgram,
  evolutionLearnProgram,
  PASS,
  perturbedActProgram,
  perturbProgram,
} from "./programs/hostEvolution.ts";
export { HOST_GOALS, hindsightLearnProgram, hindsightStoreProgram } from "./programs/hostHindsight.ts";
export { IMITATION } from "./programs/imitation.ts";
export { DRIFT, LANES, laneBuffer, RUNNING } from "./programs/laneBuffers.ts";
export { EPISODES } from "./programs/lanes.ts";
export { type AgentStructure, DELAY_LEFT, networkDims } from "./programs/learning.ts";
export { memoryBuffer } from "./programs/memory.ts";
export {
  LEARNED_DELAYED,
  learningMetrics,
  METRIC_COUNTERS,
  type MetricCounter,
  metricName,
  playMetrics,
  summedMetrics,
} from "./programs/metrics.ts";
export { type Normalization, RETURNS_UPDATED } from "./programs/normalization.ts";
export {
  actProgram,
  LEARN_EARNED,
  learnProgram,
  lessonsProgram,
  type OffPolicyStructure,
  resetProgram,
  statisticsProgram,
  storeProgram,
  turnProgram,
} from "./programs/offPolicy.ts";
export { iterationProgram, rolloutLearnProgram, samplingProgram } from "./programs/onPolicy.ts";
export {
  lacksRule,
  type Mover,
  OPPONENT,
  OPPONENT_EPSILON,
  RULES,
  type RuleName,
} from "./programs/opponents.ts";
export { hasValue, type PolicyOptions, policyProgram, spacesOfKey, valueProgram } from "./programs/policy.ts";
export * from "./programs/priorities.ts";
export { drawUniformly, replayStates } from "./programs/replay.ts";
export * from "./programs/replayFields.ts";
export type { OnPolicyStructure } from "./programs/rolloutLearning.ts";
export {
  bytesIn,
  byteWords,
  isPacked,
  numbersIn,
  type ReplayField,
  type Run,
  rowParts,
  rowWords,
} from "./programs/rowLayout.ts";
export { restNames, type StatisticsOf, statisticsName } from "./programs/runningStatistics.ts";
export { ownValueName, PROGRESS, scheduled, scheduledMetric } from "./programs/schedules.ts";
export { agentEvaluator } from "./programs/search/agentEvaluator.ts";
export { dirichlet } from "./programs/search/dirichlet.ts";
export { gumbel, gumbelNoise } from "./programs/search/gumbel.ts";
export { HostTree, type Judged } from "./programs/search/HostTree.ts";
export { legalSoftmax } from "./programs/search/hostRules.ts";
export {
  hostRuleOf,
  JUDGED,
  judgeProgram,
  lookAhead,
  lookAheadProgram,
  SEARCHED,
} from "./programs/search/lookAhead.ts";
export { puct } from "./programs/search/puct.ts";
export { search } from "./programs/search/search.ts";
export type { LookAhead } from "./programs/search/searchSettings.ts";
export { selfPlayProgram } from "./programs/selfPlay.ts";
export * from "./programs/slicedOffPolicy.ts";
export { collectProgram, columnsProgram, gradientsProgram, stepProgram } from "./programs/slicedOnPolicy.ts";
export { SLICE } from "./programs/slices.ts";
export { takeTransitions } from "./programs/transitions.ts";
export { type VersusOptions, versus } from "./programs/versus.ts";
