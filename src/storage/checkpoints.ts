/** Door: the parts of checkpoints and their formats. */
export { type CheckpointInfo, COMMIT_FILE, inspectCheckpoints } from "./checkpoint.ts";
export { CHECKPOINT_FORMAT, CHECKPOINT_VERSION, encodeCommit } from "./commitRecord.ts";
export { DATASET_FORMAT } from "./formats.ts";
export { unpackCheckpoint } from "./openZip.ts";
