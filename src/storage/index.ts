/** Read and write what runs keep, in a store of your own too: checkpoints, agents as safetensors, lists of runs. */

export type { CheckpointInfo, CheckpointProblem, OwnsDirectory } from "./checkpoint.ts";
export {
  bestCheckpoint,
  commitCheckpoint,
  listCheckpoints,
  pruneCheckpoints,
  readCheckpoint,
  recoverCheckpoints,
  removeCheckpoint,
  unusedDirectory,
} from "./checkpoint.ts";
export type { CheckpointMeta, CommitRecord, FileRecord } from "./commitRecord.ts";
export type { FameEntry, NewElite } from "./elites.ts";
export type { BinaryFile, FileEntry, FileStore, SpaceEstimate } from "./fileStore.ts";
export { estimateFits } from "./fileStore.ts";
export { AGENT_FORMAT, type MigrationStep, migrate, SAVED_RUN_FORMAT, type StoredFormat } from "./formats.ts";
export type { LoggedEvent, RunEvent } from "./logFrames.ts";
export { crc32c } from "./logFrames.ts";
export { memoryFileStore } from "./memoryFileStore.ts";
export type { OpfsDirectory, OpfsOptions } from "./opfs/opfsFileStore.ts";
export { hasOpfs, opfsFileStore } from "./opfs/opfsFileStore.ts";
export { baseName, joinPath, parentPath } from "./paths.ts";
export type { LoadedCheckpoint } from "./RunCheckpoints.ts";
export type { RunIndex } from "./runIndex.ts";
export { idbRunIndex, memoryRunIndex } from "./runIndex.ts";
export type { RunSizes } from "./runLayout.ts";
export type { RunLock, RunLocks } from "./runLocks.ts";
export { memoryRunLocks, webRunLocks } from "./runLocks.ts";
export { type LogPlace, type LogReading, readRunLog } from "./runLog.ts";
export type { RunCheckpoint, RunManifest, RunPatch, RunRecord, RunStatus } from "./runRecord.ts";
export type { ManifestRecovery, RecoveryReport } from "./runRecovery.ts";
export type { LostFiles } from "./runStore.ts";
export { RunStore } from "./runStore.ts";
export type { SafetensorsDtype, SafetensorsFile, StoredTensor, TensorData } from "./safetensors.ts";
export { decodeSafetensors, encodeSafetensors } from "./safetensors.ts";
export {
  FLOATS_PART,
  type FloatsPart,
  readFloatParts,
  readFloats,
  requireFloats,
} from "./safetensorsFloats.ts";
export type { FileDtype, SafetensorsHeader, TensorPlace } from "./safetensorsHeader.ts";
export { readSafetensorsHeader, safetensorsHeader } from "./safetensorsHeader.ts";
export { sha256Hex } from "./sha256.ts";
export type { StorageErrorCode } from "./storageError.ts";
export { isStorageError, StorageError } from "./storageError.ts";
export { DEFAULT_POLICY, readPolicy, type StoragePolicy, writePolicy } from "./storagePolicy.ts";
