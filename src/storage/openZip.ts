import { unzipSync } from "fflate";
import { reasonOf, type StorageError } from "./storageError.ts";

/** Bytes that an archive may unpack to beyond {@link MAX_RATIO} times its own: small runs shrink a lot. */
const SMALL_BYTES = 1 << 26;
/** A zip that grows more than this was not made of a run: weights do not shrink. */
const MAX_RATIO = 20;

/** A zip whose names and sizes are checked; nothing is unpacked yet. */
export interface OpenZip {
  /** Bytes of all files. */
  readonly total: number;
  readonly unpack: () => Map<string, Uint8Array>;
}

/**
 * @param isAllowed Whether such an archive may hold a file of this path.
 * @param refuse Makes the error of what was found.
 * @throws StorageError, as `refuse` makes it: for what is no zip, a path that is not allowed, a zip that would grow more
 *   than files of runs do.
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
      throw refuse(`is no zip file (${reasonOf(error)})`);
    }
  };
  unzip(false);
  const bad = paths.find((path) => !isAllowed(path));
  if (bad !== undefined) throw refuse(`holds the path ${JSON.stringify(bad)}, which no export has`);
  if (total > Math.max(SMALL_BYTES, MAX_RATIO * zip.byteLength))
    throw refuse(`would unpack from ${zip.byteLength} to ${total} bytes, which no run does`);
  return { total, unpack: () => new Map(Object.entries(unzip(true))) };
}
