/** Door: histories of runs as columns. */
export { loggedCompletions, withCompletions } from "./completions/recentCompletions.ts";
export {
  type EvolutionReport,
  type MutationOutcome,
  OUTCOME_KINDS,
  SURVIVAL_GENERATIONS,
} from "./evolutionReport.ts";
export { type DiversityRanges, EvolutionTally, evolutionOf } from "./evolutionTally.ts";
export { tallyRows } from "./GrowingHistory.ts";
export { type Gain, type GainSummary, gainText, summaryOf } from "./gain.ts";
export {
  around,
  type Estimate,
  estimateOf,
  type Interval,
  intervalMethod,
  isEvidence,
  LEAST_FOR_IQM,
  meanInterval,
  studentQuantile,
} from "./interval.ts";
export { histogramRow, metricColumns, metricRow, type RowShape } from "./metricRow.ts";
export {
  explanationText,
  type MutationExplanation,
  type MutationTrial,
} from "./mutationExplanation.ts";
export { MUTATION_KINDS, type MutationKind, mutationKindAt, mutationKindOf } from "./mutationKind.ts";
export { QUARTILES, type Quartiles, quantile, quartiles } from "./quartiles.ts";
export { thinned } from "./thinned.ts";
