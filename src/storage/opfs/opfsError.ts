import { notFound, reasonOf, StorageError, storageFull, storageLocked } from "../storageError.ts";

/** The `name` of a DOMException, else empty. */
export function exceptionName(error: unknown): string {
  return error instanceof DOMException ? error.name : "";
}

/** The `StorageError` for an error that the origin private file system threw at `path`. */
export function opfsStorageError(error: unknown, path: string, bytes: number): StorageError {
  if (error instanceof StorageError) return error;
  const cause = { cause: error };
  switch (exceptionName(error)) {
    case "NotFoundError":
      return notFound(path, cause);
    case "QuotaExceededError":
    // When the quota runs out during a large write, Chromium sometimes aborts the stream instead.
    case "AbortError":
      return storageFull(path, bytes, cause);
    case "NoModificationAllowedError":
      return storageLocked(path, cause);
    case "TypeMismatchError":
      return new StorageError(
        "io",
        path,
        "is a directory where a file was expected, or a part of the path is a file; use another path",
        cause,
      );
    case "NotAllowedError":
    case "SecurityError":
      return new StorageError(
        "io",
        path,
        "the browser refuses storage to this page; leave private browsing or allow site data, and reload",
        cause,
      );
    default:
      return new StorageError("io", path, `${reasonOf(error)}; reload the page and try again`, cause);
  }
}
