import { strFromU8, zipSync } from "fflate";
import { z } from "zod";
import { COMMIT_FILE, listCheckpoints, readCheckpoint } from "./checkpoint.ts";
import { describeFiles } from "./commitRecord.ts";
import { ELITE_PATH, EliteDirectory, packElites } from "./EliteDirectory.ts";
import { estimateFits, type FileStore } from "./fileStore.ts";
import { EXPORT_FORMAT, migrate } from "./formats.ts";
import { memoryFileStore } from "./memoryFileStore.ts";
import { openZip } from "./openZip.ts";
import { isPlainRelativePath, joinPath } from "./paths.ts";
import { readRunLog } from "./runLog.ts";
import { decodeRunManifest } from "./runRecord.ts";
import { sha256Hex } from "./sha256.ts";
import { reasonOf, StorageError, storageFull } from "./storageError.ts";

const EXPORT_FILE = "export.json";
const ALLOWED_PATH = /^(manifest\.json|log\/\d{6}\.seg|(ck|fame)\/.+)$/;
/** Directories of policies of generations. */
const POLICIES = ["elites", "populations"] as const;

/** Directories of checkpoints and of the hall of fame; every entry in them is committed. */
const COMMITTED = ["ck", "fame"] as const;

const exportSchema = z.strictObject({
  format: z.literal("rlkit.export"),
  version: z.int(),
  files: z.array(z.object({ path: z.string(), size: z.int().nonnegative(), sha256: z.string() })),
});

/**
 * A zip of the run in `dir`: manifest, log, committed checkpoints, policies of generations, and `export.json` with sizes and hashes.
 */
export async function packRun(store: FileStore, dir: string): Promise<Uint8Array> {
  const files = new Map([["manifest.json", await store.read(joinPath(dir, "manifest.json"))]]);
  for (const { name, bytes, goodBytes } of (await readRunLog(store, joinPath(dir, "log"))).segments) {
    files.set(`log/${name}`, bytes.subarray(0, goodBytes));
  }
  for (const kind of COMMITTED) {
    for (const checkpoint of await listCheckpoints(store, joinPath(dir, kind))) {
      const read = await readCheckpoint(store, checkpoint.dir);
      for (const [path, bytes] of read.files) files.set(`${kind}/${checkpoint.name}/${path}`, bytes);
      const commit = await store.read(joinPath(checkpoint.dir, COMMIT_FILE));
      files.set(`${kind}/${checkpoint.name}/${COMMIT_FILE}`, commit);
    }
  }
  for (const kind of POLICIES)
    for (const [path, bytes] of await packElites(store, joinPath(dir, kind)))
      files.set(`${kind}/${path}`, bytes);
  const listing = {
    format: "rlkit.export",
    version: EXPORT_FORMAT.version,
    files: await describeFiles(files),
  };
  const entries = Object.fromEntries([
    [EXPORT_FILE, new TextEncoder().encode(JSON.stringify(listing, null, 2))],
    ...files,
  ]);
  // Weights do not compress well, so the files are stored uncompressed.
  return zipSync(entries, { level: 0 });
}

/**
 * Unpacks a run into a separate store with the layout of `packRun`. Checks everything: paths, sizes,
 * hashes, manifest, log and checkpoints. Throws `StorageError`: `corrupt`, `version`, or `full` when
 * `target` has no room.
 */
export async function unpackRun(zip: Uint8Array, target: FileStore, label: string): Promise<FileStore> {
  const refuse = (found: string): StorageError =>
    new StorageError("corrupt", label, `${found}; nothing was imported, export the run again`);

  const { total, unpack } = openZip(zip, (path) => path === EXPORT_FILE || isAllowed(path), refuse);
  if (!(await estimateFits(target, total)).fits) throw storageFull(label, total);

  const entries = unpack();
  const listing = readListing(entries.get(EXPORT_FILE), label, refuse);
  entries.delete(EXPORT_FILE);
  const store = memoryFileStore();
  for (const { path, size, sha256 } of listing) {
    const bytes = entries.get(path);
    if (bytes === undefined) throw refuse(`lacks the file ${path}`);
    if (bytes.byteLength !== size) throw refuse(`holds ${bytes.byteLength} bytes of ${path}, not ${size}`);
    if ((await sha256Hex(bytes)) !== sha256) throw refuse(`has a corrupt file ${path} (its SHA-256 differs)`);
    entries.delete(path);
    await store.write(path, bytes);
  }
  const extra = entries.keys().next().value;
  if (extra !== undefined) throw refuse(`holds the file ${extra}, which is not in its list`);
  await checkRun(store, refuse);
  return store;
}

function isAllowed(path: string): boolean {
  if (!isPlainRelativePath(path)) return false;
  const kind = POLICIES.find((one) => path.startsWith(`${one}/`));
  return kind ? ELITE_PATH.test(path.slice(kind.length + 1)) : ALLOWED_PATH.test(path);
}

function readListing(
  bytes: Uint8Array | undefined,
  label: string,
  refuse: (found: string) => StorageError,
): z.infer<typeof exportSchema>["files"] {
  if (bytes === undefined) throw refuse(`has no ${EXPORT_FILE}, so it is not an exported run`);
  let raw: unknown;
  try {
    raw = JSON.parse(strFromU8(bytes));
  } catch (error) {
    throw refuse(`has a ${EXPORT_FILE} that is not valid JSON (${reasonOf(error)})`);
  }
  const head = exportSchema.pick({ format: true, version: true }).loose().safeParse(raw);
  const migrated = head.success ? migrate(EXPORT_FORMAT, head.data.version, head.data, label) : raw;
  const listing = exportSchema.safeParse(migrated);
  if (!listing.success) throw refuse(`has an invalid ${EXPORT_FILE} (${z.prettifyError(listing.error)})`);
  return listing.data.files;
}

async function checkRun(store: FileStore, refuse: (found: string) => StorageError): Promise<void> {
  if (!(await store.exists("manifest.json"))) throw refuse("lacks the file manifest.json");
  decodeRunManifest(await store.read("manifest.json"), "manifest.json");
  const [problem] = (await readRunLog(store, "log")).problems;
  if (problem !== undefined) throw refuse(`has a damaged log (${problem})`);
  for (const kind of COMMITTED)
    for (const { name } of await store.list(kind)) await readCheckpoint(store, `${kind}/${name}`);
  for (const kind of POLICIES) await (await EliteDirectory.read(store, kind)).verify();
}
