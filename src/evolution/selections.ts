/** Door: strategies of selection by name, and their sections in manifests. */

export * from "./selection/all.ts";
export type { SelectionRun } from "./selection/defineSelection.ts";
export { HalvingSelectionSpec, type HalvingSelectionSpecInput, raceSizes } from "./selection/halving.ts";
export {
  MultiFrequencySelectionSpec,
  type MultiFrequencySelectionSpecInput,
  resolveMultiFrequency,
} from "./selection/multiFrequency.ts";
export { NoSelectionSpec } from "./selection/none.ts";
export { TournamentSelectionSpec, type TournamentSelectionSpecInput } from "./selection/tournament.ts";
export { TruncationSelectionSpec, type TruncationSelectionSpecInput } from "./selection/truncation.ts";
