/** Door: what pages ask of coordinators and of the worker of data sets. */
export type {
  DataCalls,
  DatasetView,
  DataWorkerCalls,
  FetchProgress,
  KeptDataset,
  RecordRequest,
} from "./protocol/data.ts";
export {
  CALLS_ABOUT_A_RUN,
  isRemoteRun,
  type RemoteCalls,
  type RemoteMachines,
  type RemoteMessage,
  type RemotePlatform,
  type RunCalls,
} from "./remoteProtocol.ts";
export type { RunAbilities } from "./runAbilities.ts";
