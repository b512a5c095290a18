/** The directory that a run writes to, and resumes from. */
import { isAbsolute, relative, resolve, sep } from "node:path";
import { type CheckpointInfo, COMMIT_FILE, inspectCheckpoints } from "../storage/checkpoints.ts";
import { isTemporaryName } from "../storage/files.ts";
import {
  baseName,
  type FileStore,
  joinPath,
  parentPath,
  recoverCheckpoints,
  unusedDirectory,
} from "../storage/index.ts";
import { ELITE_FILE, isCheckpointOf, withoutExtension } from "../training/loop.ts";
import { CliError, type CliIo, EXIT, usageError } from "./CliIo.ts";

const MANIFEST_FILE = "manifest.yaml";

/** An unused directory named `<manifest>-<date>-<time>`. */
export function freshDirectory(store: FileStore, manifestPath: string, now: Date): Promise<string> {
  const name = baseName(manifestPath.replaceAll("\\", "/")).replace(/\.(ya?ml|json)$/i, "") || "run";
  const two = (value: number): string => String(value).padStart(2, "0");
  const date = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`;
  const time = `${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`;
  return unusedDirectory(store, `${name}-${date}-${time}`);
}

/**
 * Rejects a directory whose files the run would overwrite: those of an earlier run, unless this
 * run resumes from it.
 * @param resumed Checkpoint that the run resumes from; null for none.
 * @throws CliError naming the directory and the files.
 */
export async function requireOwnDirectory(
  store: FileStore,
  dir: string,
  resumed: string | null,
): Promise<void> {
  if (resumed !== null && liesIn(dir, resumed)) return;
  const found: string[] = [];
  for (const file of [ELITE_FILE, MANIFEST_FILE]) {
    if (await store.exists(joinPath(dir, file))) found.push(file);
  }
  if (found.length === 0) return;
  throw usageError(
    `--out: ${dir} holds ${found.join(" and ")} of an earlier run, which are kept; ` +
      "choose another directory, or resume that run with --resume and one of its checkpoints",
  );
}

/**
 * The prefix of the run's checkpoint names.
 * @param named The manifest's `training.checkpoint_path`.
 * @throws CliError if that leaves the directory: manifests come from others and must not write elsewhere.
 */
export function checkpointBase(dir: string, named: string | null): string {
  const base = named !== null && isAbsolute(named) ? named : joinPath(dir, named ?? "checkpoint");
  if (liesIn(dir, base)) return withoutExtension(base);
  throw new CliError(
    `training.checkpoint_path: found "${named}", which is not in the output directory ${dir}; allowed a name or a relative path that stays in it`,
    EXIT.failed,
  );
}

/**
 * Removes leftovers of an interrupted run: checkpoints that were never committed, and partly written files.
 */
export async function clearLeftovers(store: FileStore, dir: string, base: string): Promise<void> {
  const name = baseName(base);
  await recoverCheckpoints(store, parentPath(base), (directory) => isCheckpointOf(name, directory));
  for (const { name: file, kind } of await store.list(dir)) {
    if (kind === "file" && isTemporaryName(file)) await store.remove(joinPath(dir, file));
  }
}

function liesIn(dir: string, path: string): boolean {
  const [first] = relative(resolve(dir), resolve(path)).split(sep);
  return first !== undefined && first !== "" && first !== "..";
}

/**
 * Writes the manifest, so that an unwritable directory fails before training instead of after it. Resolves to
 * a function that undoes this, for a run that never starts.
 * @throws StorageError.
 */
export async function openDirectory(
  store: FileStore,
  dir: string,
  manifest: string,
): Promise<() => Promise<void>> {
  const path = joinPath(dir, MANIFEST_FILE);
  const existed = await store.exists(dir);
  const before = existed && (await store.exists(path)) ? await store.read(path) : null;
  await store.write(path, new TextEncoder().encode(manifest));
  return async () => {
    if (before) return store.write(path, before);
    await store.remove(path);
    if (!existed && (await store.list(dir)).length === 0) await store.remove(dir);
  };
}

/**
 * The path itself, or the newest committed checkpoint in a run's directory, which is then
 * named on standard error.
 * @param checkpoint_path The manifest's: checkpoints may be in a subdirectory of the run's directory.
 * @throws CliError if a run's directory has no committed checkpoint.
 */
export async function resumePoint(io: CliIo, path: string, checkpoint_path: string | null): Promise<string> {
  const { store } = io;
  if (!(await mayHoldRuns(store, path))) return path;
  const newest = await newestCheckpoint(io, path, checkpoint_path);
  if (newest !== null) return newest;
  if (!(await store.exists(joinPath(path, MANIFEST_FILE)))) return path;
  throw usageError(
    `--resume: ${path} is a run's directory without a committed checkpoint; start a new run in another directory`,
  );
}

/** The newest committed checkpoint in a run's directory, named on standard error; null if there is none. */
export async function newestCheckpoint(
  { store, stderr }: CliIo,
  path: string,
  checkpoint_path: string | null,
): Promise<string | null> {
  const parents = new Set([path, joinPath(path, parentPath(checkpoint_path ?? ""))]);
  let newest: CheckpointInfo | undefined;
  for (const parent of parents) {
    const { complete, damaged } = await inspectCheckpoints(store, parent);
    for (const { dir, message } of damaged) stderr.write(`rlkit: --resume: ${dir} was skipped: ${message}\n`);
    const last = complete.at(-1);
    if (last && last.commit.sequence >= (newest?.commit.sequence ?? Number.NEGATIVE_INFINITY)) newest = last;
  }
  if (newest) stderr.write(`rlkit: --resume: resuming from ${newest.dir}\n`);
  return newest?.dir ?? null;
}

async function mayHoldRuns(store: FileStore, path: string): Promise<boolean> {
  if (await store.exists(joinPath(path, COMMIT_FILE))) return false;
  return (await store.list(path).catch(() => [])).length > 0;
}
