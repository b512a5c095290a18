/**
 * `checksums.json` in a folder: the SHA-256 of every other file, so that damaged files do not load as other
 * weights.
 */
import { z } from "zod";
import { sha256HexNow } from "../../storage/files.ts";
import { joinPath, StorageError } from "../../storage/index.ts";
import { type Folder, jsonBytes, placeOf, readJson } from "./Folder.ts";

export const CHECKSUMS = "checksums.json";

const content = z.strictObject({ sha256: z.record(z.string(), z.string()) });

/** The files by path with `checksums.json` first, so that an incomplete copy is noticed. */
export function withChecksums(files: ReadonlyMap<string, Uint8Array>): Map<string, Uint8Array> {
  const sha256 = Object.fromEntries([...files].map(([path, bytes]) => [path, sha256HexNow(bytes)]));
  return new Map([[CHECKSUMS, jsonBytes({ sha256 })], ...files]);
}

/**
 * The folder `name` in a folder ("" for that itself), whose files are compared with `checksums.json` of the
 * outer folder as they are read. Without `checksums.json`, nothing is compared.
 * @returns A folder that throws StorageError `corrupt` for files that are changed, missing or not listed.
 */
export function verified(outer: Folder, name = "", inner: Folder = outer): Folder {
  let read: Promise<z.output<typeof content> | null> | null = null;
  return {
    path: inner.path,
    async readFile(file) {
      const bytes = await inner.readFile(file);
      if (file === CHECKSUMS) return bytes;
      read ??= readJson(outer, CHECKSUMS, content);
      const listed = await read;
      if (listed === null) return bytes;
      const path = name === "" ? file : joinPath(name, file);
      const due = Object.hasOwn(listed.sha256, path) ? listed.sha256[path] : undefined;
      const is = bytes === null ? undefined : sha256HexNow(bytes);
      if (is === due) return bytes;
      throw new StorageError("corrupt", placeOf(inner, file), problem(is, due, placeOf(outer, CHECKSUMS)));
    },
  };
}

function problem(is: string | undefined, due: string | undefined, place: string): string {
  const found =
    is === undefined ? "no such file, but" : due === undefined ? "is not listed in" : "differs from";
  const listed = is === undefined ? `${place} lists it` : place;
  return `${found} ${listed}; use another copy of the folder, or delete ${CHECKSUMS} if you changed the files yourself`;
}

/** A warning if a folder, which rlkit wrote, has no `checksums.json`; otherwise none. */
export async function unverifiedWarnings(folder: Folder): Promise<readonly string[]> {
  if ((await folder.readFile(CHECKSUMS)) !== null) return [];
  return [
    `${folder.path}: has no ${CHECKSUMS} (it was written by an earlier version), so damage cannot be detected; save it again to add one`,
  ];
}
