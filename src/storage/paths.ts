import { StorageError } from "./storageError.ts";

const TEMPORARY_SUFFIX = ".rlkit-tmp";

/**
 * The segments of a store path. Empty segments and `.` are dropped, so `/a/b` and `a/b` are the same file.
 * Throws `StorageError` (`io`) for `..`, a backslash or a control character: a path never leaves its store.
 */
export function pathSegments(path: string): string[] {
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== ".");
  for (const segment of segments) {
    if (segment === ".." || /[\\\u0000-\u001f]/.test(segment)) {
      throw new StorageError(
        "io",
        path,
        `the part ${JSON.stringify(segment)} is not allowed; use plain names separated by "/"`,
      );
    }
  }
  return segments;
}

/** Joins parts with single slashes; a leading slash of the first part stays. */
export function joinPath(...parts: readonly string[]): string {
  return parts
    .filter((part) => part !== "")
    .join("/")
    .replace(/\/{2,}/g, "/");
}

/** The directory of a path; empty for a bare name. */
export function parentPath(path: string): string {
  const trimmed = path.replace(/\/+$/, "");
  const slash = trimmed.lastIndexOf("/");
  return slash < 0 ? "" : trimmed.slice(0, Math.max(slash, 1));
}

/** The last name of a path. */
export function baseName(path: string): string {
  const trimmed = path.replace(/\/+$/, "");
  return trimmed.slice(trimmed.lastIndexOf("/") + 1);
}

/** Whether `path` is relative, has no empty, `.` or `..` part, and names the same file in every store. */
export function isPlainRelativePath(path: string): boolean {
  return path.split("/").every((part) => /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/.test(part));
}

/** Eight random hexadecimal digits, for names that must be unique. */
export function randomNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(4));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A sibling name for a file while it is being written. */
export function temporaryName(name: string): string {
  return `${name}.${randomNonce()}${TEMPORARY_SUFFIX}`;
}

/** Whether this is the name of a file whose writing was interrupted. */
export function isTemporaryName(name: string): boolean {
  return name.endsWith(TEMPORARY_SUFFIX);
}
