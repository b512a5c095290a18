/** Door: the parts of checkpoints and their formats. */
export { type CheckpointInfo, COMMIT_FILE, inspectCheckpoints, PENDING_FILE } from "./checkpoint.ts";
export { CHECKPOINT_FORMAT, CHECKPOINT_VERSION, describeFiles, encodeCommit } from "./commitRecord.ts";
export { DATASET_FORMAT } from "./formats.ts";
export { unpackCheckpoint } from "./openZip.ts";
