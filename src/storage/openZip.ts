import { unzipSync } from "fflate";
import { commitCheckpoint, readCheckpoint } from "./checkpoint.ts";
import type { CommitRecord } from "./commitRecord.ts";
import { estimateFits, type FileStore } from "./fileStore.ts";
import { memoryFileStore } from "./memoryFileStore.ts";
import { isPlainRelativePath } from "./paths.ts";
import { reasonOf, StorageError, storageFull } from "./storageError.ts";

/**
 * Creates a checkpoint from a zip of a checkpoint directory, including COMMIT.json. Everything is checked
 * first: paths, sizes and hashes.
 * @param dir The new checkpoint's directory, which must not exist yet.
 * @param label Name of the zip in errors.
 * @throws StorageError: `corrupt`, `version`, or `full`, and as `commitCheckpoint`.
 */
export async function unpackCheckpoint(
  zip: Uint8Array,
  target: FileStore,
  dir: string,
  label: string,
): Promise<CommitRecord> {
  const refuse = (found: string): StorageError =>
    new StorageError("corrupt", label, `${found}; nothing was written, fetch the checkpoint again`);
  const { total, unpack } = openZip(zip, isPlainRelativePath, refuse);
  if (!(await estimateFits(target, total)).fits) throw storageFull(label, total);
  const store = memoryFileStore();
  for (const [path, bytes] of unpack()) await store.write(`${label}/${path}`, bytes);
  const { commit, files } = await readCheckpoint(store, label);
  return commitCheckpoint(target, dir, files, commit);
}

/** Unpacked bytes that are always allowed, beyond the {@link MAX_RATIO} limit: small runs compress a lot. */
const SMALL_BYTES = 1 << 26;
/** A zip that expands by more than this is not a run: weights do not compress well. */
const MAX_RATIO = 20;

/** A zip whose names and sizes have been checked; nothing is unpacked yet. */
interface OpenZip {
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
