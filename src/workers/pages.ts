/** Door: what pages ask of coordinators and of the worker of data sets. */
export { callsBy, invoke, runIdOf } from "./protocol/callTable.ts";
export {
  DATA_CALLS,
  type DataCalls,
  type DatasetView,
  type FetchProgress,
  type HubAccess,
  type HubModelListing,
  type KeptDataset,
  type RecordRequest,
} from "./protocol/data.ts";
export {
  type ChatAnswer,
  type ChatNews,
  type ChatSettings,
  type ChatTurn,
  type DataRequest,
  LANGUAGE_CALLS,
  type LanguageCalls,
  type ModelCard,
  type OpenedModel,
  type RowsView,
} from "./protocol/language.ts";
export {
  isRemoteRun,
  type PlatformCalls,
  REMOTE_CALLS,
  type RemoteMachines,
  type RemoteMessage,
  type RemotePlatform,
  remoteRunId,
} from "./protocol/remote.ts";
export type { RunAbilities } from "./protocol/runs.ts";
export { SpareWorker } from "./tabs/SpareWorker.ts";
