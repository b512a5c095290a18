/** Door: what pages ask of coordinators and of the worker of data sets. */
export { callsBy, invoke, runIdOf } from "./protocol/callTable.ts";
export {
  DATA_CALLS,
  type DataCalls,
  type DatasetView,
  type FetchProgress,
  type KeptDataset,
  type RecordRequest,
} from "./protocol/data.ts";
export {
  isRemoteRun,
  type PlatformCalls,
  REMOTE_CALLS,
  type RemoteMachines,
  type RemoteMessage,
  type RemotePlatform,
} from "./remoteProtocol.ts";
export type { RunAbilities } from "./runAbilities.ts";
