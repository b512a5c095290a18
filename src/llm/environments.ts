/** Door: environments and data of language models. */

export { builtInDataset, listDatasets } from "./data/builtin.ts";
export { DatasetEnv } from "./data/DatasetEnv.ts";
export { type DataRequest, type DataView, DataViewer, hasRows, type ViewedRow } from "./data/DataViewer.ts";
export { cachedHubRows, listHubRows } from "./data/hubRows.ts";
export { requireLoadable } from "./data/loadSplit.ts";
export { readRowFile } from "./data/rows.ts";
export { listLlmEnvironments } from "./environments/builtin.ts";
export { type LoggedCompletion, sampledRecords } from "./environments/completionLog.ts";
export { RolloutHarness } from "./environments/RolloutHarness.ts";
export { requireRubricHere, requireSupported } from "./environments/requireSupported.ts";
export { type RewardFault, RewardTally } from "./environments/rewards.ts";
export { IO_TIMEOUT_S, longestPrompt, rubricOf } from "./environments/specHarnessOptions.ts";
export { withTemplateOf } from "./tokenizers/TemplatedTokenizer.ts";
