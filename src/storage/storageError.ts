/** The kind of error, for code that reacts to it; the message is for people. */
export type StorageErrorCode = "not_found" | "full" | "locked" | "corrupt" | "changed" | "version" | "io";

/**
 * The one error class of all storage code: file stores, checkpoints, tensor files, runs. The message names
 * the path, what was found and what to do.
 */
export class StorageError extends Error {
  override readonly name = "StorageError";
  readonly code: StorageErrorCode;
  readonly path: string;

  constructor(code: StorageErrorCode, path: string, message: string, options?: ErrorOptions) {
    super(`${path}: ${message}`, options);
    this.code = code;
    this.path = path;
  }
}

/** Whether `error` is a `StorageError`, with this code if one is given. */
export function isStorageError(error: unknown, code?: StorageErrorCode): error is StorageError {
  return error instanceof StorageError && (code === undefined || error.code === code);
}

export function notFound(path: string, options?: ErrorOptions): StorageError {
  return new StorageError("not_found", path, "no such file; check the path", options);
}

/** @param bytes Number of bytes to write; 0 if unknown. */
export function storageFull(path: string, bytes: number, options?: ErrorOptions): StorageError {
  return new StorageError(
    "full",
    path,
    `no room to write${bytes > 0 ? ` ${bytes} bytes` : ""}; delete runs or checkpoints, or free space on the disk, and try again. ` +
      "Nothing saved before was touched",
    options,
  );
}

/** @param found Length in bytes. @param expected Length after the last write. */
export function fileChanged(path: string, found: number, expected: number): StorageError {
  return new StorageError(
    "changed",
    path,
    `holds ${found} bytes, not the ${expected} last written: it was deleted or changed by others. Nothing was added`,
  );
}

export function storageLocked(path: string, options?: ErrorOptions): StorageError {
  return new StorageError(
    "locked",
    path,
    "another tab or process has it open; close the other one and try again",
    options,
  );
}

/** The message of an unknown thrown value. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The code of an error of the system or of a driver, such as "ENOENT"; "" if it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
