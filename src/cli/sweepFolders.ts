/** Folders of a sweep's runs, each with a file that says how far its run is. */
import { z } from "zod";
import { manifestToObject, type SweepRun } from "../manifests/index.ts";
import { reasonOf } from "../storage/files.ts";
import { type FileStore, joinPath } from "../storage/index.ts";
import { CliError, EXIT, usageError } from "./CliIo.ts";

/** The file in a run's folder that says how far it is. */
const RESULT_FILE = "result.json";
const Result = z.object({
  finished: z.boolean(),
  fitness: z.number().nullable(),
  steps: z.number(),
  seconds: z.number(),
  /** What the run was started with, so that a changed sweep never goes on with it. */
  manifest: z.unknown(),
});
type Result = z.output<typeof Result>;

/** A run of the sweep, its folder, and what it did under earlier commands. */
export interface FolderRun {
  readonly run: SweepRun;
  readonly directory: string;
  readonly before: Result | null;
}

/** Says in a run's folder how far it is. */
export const keepResult = (
  store: FileStore,
  { directory, run }: FolderRun,
  result: Omit<Result, "manifest">,
): Promise<void> => {
  const content: Result = { ...result, manifest: manifestToObject(run.manifest) };
  return store.write(
    joinPath(directory, RESULT_FILE),
    new TextEncoder().encode(`${JSON.stringify(content)}\n`),
  );
};

/** The name of a run as that of a folder. */
const folderName = (name: string): string =>
  name
    .replaceAll(", ", ",")
    .replace(/[^\w.=,+-]+/g, "-")
    .slice(0, 100) || "run";

/**
 * The folder of each run.
 * @throws CliError for a folder with a run of another manifest, or with other files.
 */
export async function sweepFolders(
  store: FileStore,
  root: string,
  runs: readonly SweepRun[],
): Promise<readonly FolderRun[]> {
  const used = new Set<string>();
  const folders: FolderRun[] = [];
  for (const run of runs) {
    const plain = folderName(run.name);
    let name = plain;
    for (let again = 2; used.has(name); again++) name = `${plain}-${again}`;
    used.add(name);
    const directory = joinPath(root, name);
    const before = await resultIn(store, directory);
    if (before && JSON.stringify(before.manifest) !== JSON.stringify(manifestToObject(run.manifest)))
      throw usageError(
        `--out: ${directory} holds a run of another manifest, which is kept; choose another directory, or change the sweep back`,
      );
    if (!before && (await store.list(directory).catch(() => [])).length > 0)
      throw usageError(`--out: ${directory} holds files of something else; choose another directory`);
    folders.push({ run, directory, before });
  }
  return folders;
}

async function resultIn(store: FileStore, directory: string): Promise<Result | null> {
  const path = joinPath(directory, RESULT_FILE);
  if (!(await store.exists(path))) return null;
  try {
    return Result.parse(JSON.parse(new TextDecoder().decode(await store.read(path))));
  } catch (error) {
    throw new CliError(
      `${path}: cannot be read (${reasonOf(error)}); delete the folder to train its run again`,
      EXIT.failed,
      { cause: error },
    );
  }
}
