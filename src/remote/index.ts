/** Submit jobs to a training platform, watch them, and download their results (docs/remote.md). */
export type { RemoteClientOptions } from "./clientOptions.ts";
export {
  type ApiErrorFacts,
  RemoteApiError,
  RemoteAuthError,
  RemoteConfigError,
  RemoteEnvironmentNotFoundError,
  RemoteError,
  RemoteFileNotFoundError,
  RemoteTrainingError,
  RemoteValidationError,
} from "./errors/RemoteError.ts";
export { manifestPayload } from "./manifestPayload.ts";
export { RemoteClient } from "./RemoteClient.ts";
export {
  type RemoteManifestOptions,
  RemoteTrainer,
  type RemoteTrainerOptions,
} from "./RemoteTrainer.ts";
export type { JobOptions, RewardFile, SubmitEvent } from "./submission.ts";
export type { WatchOptions } from "./watchEvents.ts";
export type { RemoteRunEvent } from "./wire.ts";
