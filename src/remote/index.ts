/** Submit jobs to a training platform, watch them, and download their results (docs/remote.md). */
export type { RemoteClientOptions } from "./clientOptions.ts";
export * from "./errors/RemoteError.ts";
export { manifestPayload } from "./manifestPayload.ts";
export { RemoteClient } from "./RemoteClient.ts";
export * from "./RemoteTrainer.ts";
export type { JobOptions, RewardFile, SubmitEvent } from "./submission.ts";
export type { WatchOptions } from "./watchEvents.ts";
export type { RemoteRunEvent } from "./wire.ts";
