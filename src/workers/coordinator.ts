/** Door: the coordinator. */
export { createCoordinator, type TabCoordinator } from "./coordinator/createCoordinator.ts";
export { DataDesk } from "./files/DataDesk.ts";
export { LanguageDesk } from "./files/LanguageDesk.ts";
export { EnvironmentShelf } from "./files/userEnvironments.ts";
export type { MakeExecutor } from "./runs/activeRun.ts";
export { historyEventOf, RunHistory } from "./runs/runHistory.ts";
