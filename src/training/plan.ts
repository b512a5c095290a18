/** Door: from a manifest to a run. */
export { parseTable, TABLE_FILES } from "./options/banditTable.ts";
export { openGiven } from "./options/datasetOption.ts";
export { isLive } from "./options/environmentOption.ts";
export * from "./options/selectionOption.ts";
export { type MakeTrackers, type TrackerOptions, trackersOf } from "./options/trackerOptions.ts";
export {
  emptyReplay,
  evolutionOf,
  hpConfigOf,
  initialMembers,
  initialState,
  seedOf,
  withSeed,
} from "./plan/buildRun.ts";
export { dataSpaceIssues, dataSpacesOf, isDataAlone } from "./plan/dataSpaces.ts";
export { environmentOf, userEnvironmentOf, userPlaceOf } from "./plan/environmentOf.ts";
export { estimateRun, type RunEstimate } from "./plan/estimateRun.ts";
export { type ModuleOptions, openManifestModule } from "./plan/manifestModule.ts";
export { missingFiles } from "./plan/missingFiles.ts";
export { loadPlace, tablePlace, trainingPlace } from "./plan/trainingPlace.ts";
export { isEvolving, plannedSteps, withoutEvolution } from "./plan/withoutEvolution.ts";
export { RunResult } from "./trainers/sweepResults.ts";
