/** Door: environments and data of language models. */

export { builtInDataset, listDatasets } from "./data/builtin/registry.ts";
export { parseCsv, plainText } from "./data/csv.ts";
export { DatasetEnv } from "./data/DatasetEnv.ts";
export { requireLoadable } from "./data/loadSplit.ts";
export { listLlmEnvironments } from "./environments/builtin/registry.ts";
export { sampledRecords } from "./environments/completionLog.ts";
export type { LoggedCompletion } from "./environments/LoggedCompletion.ts";
export { RolloutHarness } from "./environments/RolloutHarness.ts";
export { requireSupported } from "./environments/requireSupported.ts";
export { IO_TIMEOUT_S } from "./environments/specHarnessOptions.ts";
