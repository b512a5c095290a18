/** Door: the parts of checkpoints and their formats, and directories of elites. */
export { type CheckpointInfo, COMMIT_FILE, inspectCheckpoints, PENDING_FILE } from "./checkpoint.ts";
export { CHECKPOINT_FORMAT, CHECKPOINT_VERSION, describeFiles, encodeCommit } from "./commitRecord.ts";
export { EliteDirectory } from "./EliteDirectory.ts";
export { eliteLimits } from "./eliteThinning.ts";
export { DATASET_FORMAT } from "./formats.ts";
export { unpackCheckpoint } from "./openZip.ts";
export { checkpointDirectory, isRunId } from "./runLayout.ts";
