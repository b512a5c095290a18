/** Door: histories of runs as columns. */
export { AgentColumns } from "./AgentColumns.ts";
export { loggedCompletions, withCompletions } from "./completions/recentCompletions.ts";
export {
  type GenerationColumns,
  type GenerationRow,
  generationRows,
  rowMembers,
} from "./generationColumns.ts";
export { histogramRow, metricColumns, metricRow, type RowShape } from "./metricRow.ts";
export { MUTATION_KINDS, type MutationKind, mutationKindAt, mutationKindOf } from "./mutationKind.ts";
export { NumberColumn } from "./NumberColumn.ts";
export { QUARTILES, type Quartiles, quantile, quartiles } from "./quartiles.ts";
export { reportOfRow } from "./reportOfRow.ts";
