/**
 * The cache of repositories of the hub: a folder of the user's in Node, the origin's private file system in a browser.
 * Each repository has a folder with a record, written last, and one folder for the files of its commit.
 */
import { z } from "zod";
import { environmentVariable } from "../http/access.ts";
import { alone, defaultStore, isPlainRelativePath, joinPath } from "../storage/files.ts";
import { type FileStore, parentPath } from "../storage/index.ts";
import type { HubListing } from "./listing.ts";
import { HubError, type HubKind, requireHubId } from "./repository.ts";

const RECORD = "hub.json";
const FORMAT = "rlkit.hub";

/** A repository in the cache. `files` are those that it has; none, while its download is not complete. */
export interface CachedRepository extends HubListing {
  /** The folder of its files. */
  readonly folder: string;
  readonly complete: boolean;
}

const file = z.object({
  path: z.string().refine(isPlainRelativePath),
  size: z.int().nonnegative(),
  sha256: z.string().nullable(),
  git: z.string().nullable(),
});

const record = z.object({
  format: z.literal(FORMAT),
  version: z.literal(1),
  kind: z.enum(["model", "dataset"]),
  id: z.string(),
  part: z.string().nullable(),
  revision: z.string().regex(/^[0-9a-f]{40}$/),
  files: z.array(file),
  bytes: z.int().nonnegative(),
  licence: z.string().nullable(),
  gated: z.boolean(),
});

/**
 * @internal
 * Where the cache is: RLKIT_CACHE, or the user's own folder of caches. Stores that have no such folder have their own.
 */
export function cacheDirectory({ kind, isRooted }: FileStore): string {
  if (kind !== "disk" || isRooted) return "/v1/hub";
  const home = environmentVariable("HOME") ?? environmentVariable("USERPROFILE") ?? ".";
  const caches = environmentVariable("XDG_CACHE_HOME") ?? joinPath(home, ".cache");
  return joinPath(environmentVariable("RLKIT_CACHE") ?? joinPath(caches, "rlkit"), "hub");
}

/** @internal What a repository, or a part of it, is known by. */
export type HubPlace = Pick<HubListing, "kind" | "id" | "part">;

/** @internal Folder of a repository, which contains its record. Slashes of a revision would be folders. */
export function repositoryDirectory(store: FileStore, { kind, id, part }: HubPlace): string {
  const { repository, revision } = requireHubId(id);
  const at = revision === null ? "" : `@${revision.replaceAll("/", "--")}`;
  const of = part === null ? "" : `+${part.replaceAll("/", "--")}`;
  return joinPath(cacheDirectory(store), `${kind}s`, `${repository}${at}${of}`);
}

/** @internal Runs the work while nothing else changes the repository in the cache. */
export const aloneWith = <T>(directory: string, work: () => Promise<T>): Promise<T> =>
  alone(`hub ${directory}`, work);

/** @internal Writes the record, with which the repository is complete. */
export async function writeRecord(store: FileStore, directory: string, listing: HubListing): Promise<void> {
  const { kind, id, part, revision, files, bytes, licence, gated } = listing;
  const content = { format: FORMAT, version: 1, kind, id, part, revision, files, bytes, licence, gated };
  const text = `${JSON.stringify(record.parse(content), null, 2)}\n`;
  await store.write(joinPath(directory, RECORD), new TextEncoder().encode(text));
}

/** The repository in a folder; `null` without a record, or if it has been damaged, since it can be fetched again. */
async function recordIn(store: FileStore, directory: string): Promise<CachedRepository | null> {
  const path = joinPath(directory, RECORD);
  if (!(await store.exists(path))) return null;
  try {
    const found = record.parse(JSON.parse(new TextDecoder().decode(await store.read(path))));
    const { format: _format, version: _version, ...listing } = found;
    return { ...listing, folder: joinPath(directory, listing.revision), complete: true };
  } catch {
    return null;
  }
}

/** @internal Sizes of all files in a folder, by path. */
export async function sizesIn(
  store: FileStore,
  directory: string,
  prefix = "",
): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>();
  for (const { name, kind, size } of await store.list(joinPath(directory, prefix))) {
    const path = prefix === "" ? name : `${prefix}/${name}`;
    if (kind === "file") sizes.set(path, size);
    else for (const [inner, own] of await sizesIn(store, directory, path)) sizes.set(inner, own);
  }
  return sizes;
}

/**
 * @internal
 * The complete repository of an id; `null` if it is not in the cache.
 * @throws HubError for an invalid ID, or a file that was changed or deleted since it was fetched.
 */
export async function cachedRepository(place: HubPlace, given?: FileStore): Promise<CachedRepository | null> {
  const { kind, id } = place;
  const store = given ?? (await defaultStore());
  const found = await recordIn(store, repositoryDirectory(store, place));
  if (found === null) return null;
  const sizes = await sizesIn(store, found.folder);
  const wrong = found.files.find(({ path, size }) => sizes.get(path) !== size);
  if (wrong === undefined) return found;
  const has = sizes.get(wrong.path);
  throw new HubError(
    id,
    `${joinPath(found.folder, wrong.path)} ${has === undefined ? "is missing" : `has ${has} bytes`}, where the hub lists ${wrong.size}; delete it from the cache (rlkit models delete ${kind === "dataset" ? "--dataset " : ""}${id}) and fetch it again`,
  );
}

/** @internal All repositories of a kind in the cache by id, also those whose download is not complete. */
export async function listCached(kind: HubKind, given?: FileStore): Promise<readonly CachedRepository[]> {
  const store = given ?? (await defaultStore());
  const root = joinPath(cacheDirectory(store), `${kind}s`);
  const found: CachedRepository[] = [];
  for (const owner of await store.list(root)) {
    if (owner.kind !== "directory") continue;
    for (const { name, kind: is } of await store.list(joinPath(root, owner.name))) {
      if (is !== "directory") continue;
      const folder = joinPath(root, owner.name, name);
      const known = await recordIn(store, folder);
      if (known) {
        found.push(known);
        continue;
      }
      const bytes = [...(await sizesIn(store, folder)).values()].reduce((sum, size) => sum + size, 0);
      const [own = "", part = null] = name.split("+");
      const unknown = { revision: "", files: [], licence: null, gated: false, complete: false };
      found.push({ ...unknown, kind, id: `${owner.name}/${own.replaceAll("--", "/")}`, part, bytes, folder });
    }
  }
  return found;
}

/**
 * @internal
 * Deletes a repository with all its parts from the cache, and what is left of its downloads.
 * @returns whether there was anything.
 * @throws HubError for an invalid ID.
 */
export async function removeCached(kind: HubKind, id: string, given?: FileStore): Promise<boolean> {
  const store = given ?? (await defaultStore());
  const whole = repositoryDirectory(store, { kind, id, part: null });
  const owner = parentPath(whole);
  const names = (await store.list(owner)).map(({ name }) => joinPath(owner, name));
  const found = names.filter((directory) => directory === whole || directory.startsWith(`${whole}+`));
  for (const directory of found)
    await aloneWith(directory, async () => {
      // The record goes first, so that an interrupted deletion leaves no repository.
      await store.remove(joinPath(directory, RECORD));
      await store.remove(directory);
    });
  return found.length > 0;
}
