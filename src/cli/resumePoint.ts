/** The checkpoint that `--resume` names. */

import { type CheckpointInfo, COMMIT_FILE, inspectCheckpoints } from "../storage/checkpoints.ts";
import { type FileStore, joinPath, parentPath } from "../storage/index.ts";
import { usageError } from "./CliError.ts";
import type { CliIo } from "./CliIo.ts";
import { MANIFEST_FILE } from "./outputDirectory.ts";

/**
 * The path itself, or the newest committed checkpoint in a run's directory, which is then
 * named on standard error.
 * @param checkpoint_path The manifest's: checkpoints may be in a subdirectory of the run's directory.
 * @throws CliError if a run's directory has no committed checkpoint.
 */
export async function resumePoint(
  { store, stderr }: CliIo,
  path: string,
  checkpoint_path: string | null,
): Promise<string> {
  if (!(await mayHoldRuns(store, path))) return path;
  const parents = new Set([path, joinPath(path, parentPath(checkpoint_path ?? ""))]);
  let newest: CheckpointInfo | undefined;
  for (const parent of parents) {
    const { complete, damaged } = await inspectCheckpoints(store, parent);
    for (const { dir, message } of damaged) stderr.write(`rlkit: --resume: ${dir} was skipped: ${message}\n`);
    const last = complete.at(-1);
    if (last && last.commit.sequence >= (newest?.commit.sequence ?? Number.NEGATIVE_INFINITY)) newest = last;
  }
  if (newest) {
    stderr.write(`rlkit: --resume: resuming from ${newest.dir}\n`);
    return newest.dir;
  }
  if (!(await store.exists(joinPath(path, MANIFEST_FILE)))) return path;
  throw usageError(
    `--resume: ${path} is a run's directory without a committed checkpoint; start a new run in another directory`,
  );
}

async function mayHoldRuns(store: FileStore, path: string): Promise<boolean> {
  if (await store.exists(joinPath(path, COMMIT_FILE))) return false;
  return (await store.list(path).catch(() => [])).length > 0;
}
