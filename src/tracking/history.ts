/** Door: histories of runs as columns. */
export { loggedCompletions, withCompletions } from "./completions/recentCompletions.ts";
export { histogramRow, metricColumns, metricRow, type RowShape } from "./metricRow.ts";
export { MUTATION_KINDS, type MutationKind, mutationKindAt, mutationKindOf } from "./mutationKind.ts";
export { QUARTILES, type Quartiles, quantile, quartiles } from "./quartiles.ts";
