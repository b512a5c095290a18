/** Door: the coordinator. */
export { createCoordinator, type TabCoordinator } from "./coordinator/createCoordinator.ts";
export { DataService } from "./files/DataService.ts";
export { LanguageService } from "./files/LanguageService.ts";
export { KeptEnvironments } from "./files/userEnvironments.ts";
export type { MakeExecutor } from "./runs/activeRun.ts";
export { historyEventOf, RunHistory } from "./runs/runHistory.ts";
