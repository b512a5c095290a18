export type { CheckpointInfo, CheckpointProblem, OwnsDirectory } from "./checkpoint.ts";
export {
  commitCheckpoint,
  listCheckpoints,
  pruneCheckpoints,
  readCheckpoint,
  recoverCheckpoints,
  removeCheckpoint,
  unusedDirectory,
} from "./checkpoint.ts";
export type { CheckpointMeta, CommitRecord, FileRecord } from "./commitRecord.ts";
export type { FileEntry, FileStore } from "./fileStore.ts";
export { memoryFileStore } from "./memoryFileStore.ts";
export { baseName, joinPath, parentPath } from "./paths.ts";
export type { SafetensorsDtype, SafetensorsFile, StoredTensor, TensorData } from "./safetensors.ts";
export { decodeSafetensors, encodeSafetensors } from "./safetensors.ts";
export { sha256Hex } from "./sha256.ts";
export type { SpaceEstimate } from "./space.ts";
export { estimateFits } from "./space.ts";
export type { StorageErrorCode } from "./storageError.ts";
export { isStorageError, StorageError } from "./storageError.ts";
