import { unzipSync } from "fflate";
import { reasonOf, type StorageError } from "./storageError.ts";

/** Unpacked bytes that are always allowed, beyond the {@link MAX_RATIO} limit: small runs compress a lot. */
const SMALL_BYTES = 1 << 26;
/** A zip that expands by more than this is not a run: weights do not compress well. */
const MAX_RATIO = 20;

/** A zip whose names and sizes have been checked; nothing is unpacked yet. */
export interface OpenZip {
  /** Unpacked bytes of all files. */
  readonly total: number;
  readonly unpack: () => Map<string, Uint8Array>;
}

/**
 * Opens a zip and checks its paths and sizes.
 * @param isAllowed Whether an archive of this kind may contain a file with this path.
 * @param refuse Makes the error from a description of the problem.
 * @throws StorageError, made by `refuse`, if the bytes are not a zip, if a path is not allowed, or if the
 *   files would expand more than those of a run.
 */
export function openZip(
  zip: Uint8Array,
  isAllowed: (path: string) => boolean,
  refuse: (found: string) => StorageError,
): OpenZip {
  let total = 0;
  let paths: string[] = [];
  const unzip = (wanted: boolean): Record<string, Uint8Array> => {
    total = 0;
    paths = [];
    try {
      return unzipSync(zip, {
        filter: ({ name, originalSize }) => {
          if (name.endsWith("/")) return false;
          total += originalSize;
          paths.push(name);
          return wanted;
        },
      });
    } catch (error) {
      throw refuse(`is not a zip file (${reasonOf(error)})`);
    }
  };
  unzip(false);
  const bad = paths.find((path) => !isAllowed(path));
  if (bad !== undefined) throw refuse(`holds the path ${JSON.stringify(bad)}, which no export has`);
  if (total > Math.max(SMALL_BYTES, MAX_RATIO * zip.byteLength))
    throw refuse(`would unpack from ${zip.byteLength} to ${total} bytes, which no run does`);
  return { total, unpack: () => new Map(Object.entries(unzip(true))) };
}
