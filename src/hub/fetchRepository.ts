/** Downloads a listed repository into the cache. */
import { defaultStore, joinPath } from "../storage/files.ts";
import { estimateFits, type FileStore, isStorageError } from "../storage/index.ts";
import { aloneWith, cachedRepository, repositoryDirectory, sizesIn, writeRecord } from "./cache.ts";
import { download } from "./download.ts";
import { accessOf, type HubFile, type HubListing, type HubOptions, statusProblem } from "./listing.ts";
import { fileAddress, HubError } from "./repository.ts";

/** Progress of all files together. */
export interface HubProgress {
  /** Bytes that are here. */
  readonly received: number;
  readonly total: number;
}

export interface FetchOptions extends HubOptions {
  readonly onProgress?: (progress: HubProgress) => void;
}

const bytesOf = (files: readonly HubFile[]): number => files.reduce((sum, { size }) => sum + size, 0);

/**
 * @internal
 * Downloads the files of a listing at its commit, each checked by size and SHA-256 (small files by git's id). What is
 * there already is not downloaded again, and a cut download resumes. Files of another commit of the same id are
 * deleted once this one is complete.
 * @returns the folder of the files in the cache.
 * @throws HubError for a file that cannot be downloaded or differs from the listing, or a full disk. Until all files
 *   are there, the cache has no such repository, or its earlier commit.
 */
export async function fetchRepository(listing: HubListing, options: FetchOptions = {}): Promise<string> {
  const { kind, id, revision, files } = listing;
  const { onProgress = () => undefined, signal, stall_ms } = options;
  const store = options.store ?? (await defaultStore());
  const access = accessOf(kind, id, options);
  const directory = repositoryDirectory(store, listing);
  const folder = joinPath(directory, revision);
  return aloneWith(directory, async () => {
    const known = await cachedRepository(listing, store).catch(() => null);
    const sizes = await sizesIn(store, folder);
    // A file gets its name only after it was checked.
    const missing = files.filter(({ path, size }) => sizes.get(path) !== size);
    const [total, due] = [bytesOf(files), bytesOf(missing)];
    await requireRoom(store, id, due - partsOf(missing, sizes));
    let done = total - due;
    let told = -1;
    const tell = (received: number): void => {
      if (received > told) onProgress({ received, total });
      told = Math.max(told, received);
    };
    tell(done);
    try {
      for (const file of missing) {
        const address = fileAddress(access.hub, kind, access.name.repository, revision, file.path);
        await download(address, joinPath(folder, file.path), {
          store,
          expected: file,
          headers: access.headers,
          error: (message, more) => new HubError(id, message, more),
          problemOf: (response) => statusProblem(response, access),
          onEvent: ({ received }) => tell(done + received),
          ...(signal && { signal }),
          ...(stall_ms === undefined ? {} : { stall_ms }),
        });
        done += file.size;
        tell(done);
      }
      await writeRecord(store, directory, listing);
    } catch (error) {
      // On a full disk nothing stays, so that there is room again.
      if (isFull(error) && known?.revision !== revision) await store.remove(folder);
      throw error;
    }
    for (const { name, kind: is } of await store.list(directory))
      if (is === "directory" && name !== revision) await store.remove(joinPath(directory, name));
    return folder;
  });
}

const isFull = (error: unknown): boolean =>
  isStorageError(error, "full") || (error instanceof HubError && isStorageError(error.cause, "full"));

/** Bytes that parts of the files have already. */
const partsOf = (files: readonly HubFile[], sizes: ReadonlyMap<string, number>): number =>
  files.reduce((sum, { path }) => sum + (sizes.get(`${path}.part`) ?? 0), 0);

async function requireRoom(store: FileStore, id: string, bytes: number): Promise<void> {
  const { fits, free } = await estimateFits(store, bytes);
  if (fits) return;
  const megabytes = (size: number): string => `${(size / 1e6).toFixed(1)} MB`;
  throw new HubError(
    id,
    `needs ${megabytes(bytes)} of storage, found ${megabytes(free ?? 0)} free; delete runs or other models, or free space on the disk`,
  );
}
