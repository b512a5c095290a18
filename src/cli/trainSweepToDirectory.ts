/**
 * Trains the runs of a sweep, or the stages of a manifest, one after another, each into a folder of one directory, and goes
 * on where it was stopped.
 */
import { settingText } from "../manifests/algorithms.ts";
import { SpecError, type StageRun, type SweepRun, type TrainingManifest } from "../manifests/index.ts";
import { listEnvironments } from "../rl/environments.ts";
import { reasonOf } from "../storage/files.ts";
import { type FileStore, joinPath } from "../storage/index.ts";
import { alignedLines, formatCount, formatValue } from "../tracking/clients.ts";
import { readSweep } from "../training/files.ts";
import { type SweepRow, sweepCsv, sweepGroups } from "../training/index.ts";
import { ELITE_FILE } from "../training/loop.ts";
import { RunResult, seedOf, withSeed } from "../training/plan.ts";
import { workloadIssues } from "../training/workloads/registry.ts";
import { CliError, type CliIo, EXIT, exitCodeOf, jsonLine } from "./CliIo.ts";
import { withModuleHint } from "./modules.ts";
import { freshDirectory, newestCheckpoint } from "./outputDirectory.ts";
import { type FolderRun, keepResult, sweepFolders } from "./sweepFolders.ts";
import { notWritten, type TrainSettings, trainManifest } from "./trainManifest.ts";
import { shellWord } from "./trainToDirectory.ts";
import { openNamedModule } from "./userModules.ts";

interface SweepRequest extends TrainSettings {
  /** Path of the sweep's file; null for seeds alone. */
  readonly sweep: string | null;
  /** Path of the manifest; null for the one that the sweep names. */
  readonly manifestPath: string | null;
  readonly seeds: string | null;
  readonly out: string | null;
  readonly hpo: boolean | "search" | undefined;
  /** The manifest's stages, each of which begins with what the one before learned; null for a sweep. */
  readonly stages: readonly StageRun[] | null;
  /** The seed of stages; null for the manifest's. */
  readonly seed: number | null;
  /** What is trained of each manifest. */
  readonly adapt: (manifest: TrainingManifest) => TrainingManifest;
}

/** The table of all runs. */
const TABLE_FILE = "results.csv";

/** @returns the exit code: that of a failure if one of the runs failed. */
export async function trainSweepToDirectory(request: SweepRequest, io: CliIo): Promise<number> {
  const { store, stdout, stderr } = io;
  const { json, out } = request;
  const { stages, seed: chosen } = request;
  const runs: readonly SweepRun[] = stages
    ? stages.map(({ name, manifest }) => ({
        name,
        setting: { stage: name },
        seed: chosen,
        manifest: chosen === null ? manifest : withSeed(manifest, chosen),
      }))
    : await runsOf(request, io);
  const root = out ?? (await freshDirectory(store, request.sweep ?? request.manifestPath ?? "", new Date()));
  const unlock = await io.lock?.(root).catch(notWritten);
  try {
    const folders = await sweepFolders(store, root, runs);
    const note = (text: string): void => void (json ? stderr : stdout).write(`${text}\n`);
    const rows: SweepRow[] = [];
    let isStopped = false;
    for (const [at, folder] of folders.entries()) {
      const { run, directory, before } = folder;
      const { name, setting, seed } = run;
      const place = `${stages ? "Stage" : "Run"} ${at + 1} of ${folders.length}`;
      const last = stages ? folders[at - 1] : undefined;
      if (json) jsonLine(stdout, { event: "run", run: at + 1, runs: folders.length, name, directory });
      note(`${place}: ${name}${before?.finished ? " is finished already" : ""}`);
      const {
        numbers,
        error,
        isStopped: stops,
      } = before?.finished
        ? { numbers: before, error: null, isStopped: false }
        : await trainRun(folder, again(request, root), request, io, last);
      isStopped = stops;
      if (isStopped) break;
      if (error !== null) stderr.write(`rlkit: ${name} failed: ${error}\n`);
      const { fitness, steps, seconds } = numbers;
      rows.push({ name, setting, seed, fitness, steps, seconds, error });
      await write(store, joinPath(root, TABLE_FILE), sweepCsv(rows)).catch(notWritten);
      if (stages && error !== null) break;
    }
    if (json) jsonLine(stdout, { event: "sweep", rows, groups: sweepGroups(rows) });
    else if (rows.length > 0) stdout.write(`\n${tableText(rows)}\n\nTable: ${joinPath(root, TABLE_FILE)}\n`);
    if (isStopped) {
      note(
        `${rows.length} of ${folders.length} ${stages ? "stages" : "runs"} are finished. Go on with: ${again(request, root)}`,
      );
      return EXIT.interrupted;
    }
    return rows.some(({ error }) => error !== null) ? EXIT.failed : EXIT.ok;
  } finally {
    await unlock?.();
  }
}

/** All runs, checked. */
async function runsOf(request: SweepRequest, { store, stderr }: CliIo): Promise<readonly SweepRun[]> {
  const { sweep, manifestPath, seeds, hpo, timeout_s, adapt } = request;
  try {
    const runs = await readSweep(sweep ?? { seeds: seeds ?? [] }, {
      store,
      manifest: manifestPath ?? undefined,
      seeds: seeds ?? undefined,
      hpo,
      environments: listEnvironments(),
      alsoCheck: workloadIssues,
      onTranslated: ({ path, message }) => stderr.write(`${path} ${message}\n`),
      opens: (manifest) =>
        openNamedModule(JSON.stringify(manifest), () => ({
          store,
          ...(timeout_s !== undefined && { timeout_s }),
        })),
    });
    return runs.map((run) => ({ ...run, manifest: adapt(run.manifest) }));
  } catch (error) {
    if (!(error instanceof SpecError))
      throw new CliError(reasonOf(error), exitCodeOf(error), { cause: error });
    const { message } = new SpecError(withModuleHint(error.issues), "sweep");
    throw new CliError(`${sweep ?? `--seeds ${seeds}`}: ${message}`, EXIT.failed, { cause: error });
  }
}

interface Trained {
  readonly numbers: Pick<SweepRow, "fitness" | "steps" | "seconds">;
  readonly error: string | null;
  /** Whether the user stopped it. */
  readonly isStopped: boolean;
}

/**
 * Trains or resumes one run. Its failure is a result too.
 * @param command Goes on with the sweep.
 * @param last The stage before it, if the run is one.
 */
async function trainRun(
  folder: FolderRun,
  command: string,
  request: SweepRequest,
  io: CliIo,
  last?: FolderRun,
): Promise<Trained> {
  const { run, directory, before } = folder;
  const { manifest } = run;
  const result = new RunResult(before?.seconds);
  const keep = (finished: boolean): Promise<void> =>
    keepResult(io.store, folder, { finished, ...result.numbers }).catch(notWritten);
  const from = before && (await newestCheckpoint(io, directory, manifest.training.checkpoint_path));
  await keep(false);
  try {
    const code = await trainManifest(
      {
        ...request,
        manifest,
        from,
        directory,
        own: true,
        seed: null,
        manifestSeed: run.seed ?? seedOf(manifest),
        resumeWith: () => command,
        observer: result,
        after: last ? joinPath(last.directory, ELITE_FILE) : null,
      },
      io,
    );
    await keep(code === EXIT.ok);
    return { numbers: result.numbers, error: null, isStopped: code === EXIT.interrupted };
  } catch (error) {
    await keep(false);
    return { numbers: result.numbers, error: reasonOf(error), isStopped: false };
  }
}

/** The command that goes on with a sweep. */
function again({ sweep, manifestPath, seeds, seed }: SweepRequest, root: string): string {
  const words = [
    ...(manifestPath === null ? [] : [manifestPath]),
    ...(sweep === null ? [] : ["--sweep", sweep]),
    ...(seeds === null ? [] : ["--seeds", seeds]),
    ...(seed === null ? [] : ["--seed", String(seed)]),
    "--out",
    root,
  ];
  return `rlkit train ${words.map(shellWord).join(" ")}`;
}

const write = (store: FileStore, path: string, text: string): Promise<void> =>
  store.write(path, new TextEncoder().encode(text));

const shown = (value: number | null): string => formatValue(value ?? Number.NaN);

/** The results as text: a line for each run, then one for each setting. */
function tableText(rows: readonly SweepRow[]): string {
  const lines = alignedLines([
    ["run", "fitness", "steps", "seconds"],
    ...rows.map(({ name, fitness, steps, seconds, error }) => [
      error === null ? name : `${name} (failed)`,
      shown(fitness),
      formatCount(steps),
      seconds.toFixed(1),
    ]),
  ]);
  const groups = sweepGroups(rows);
  if (groups.length === rows.length) return lines.join("\n");
  const means = alignedLines([
    ["setting", "n", "mean", "95 % interval"],
    ...groups.map(({ setting, n, mean, interval }) => [
      settingText(setting) || "all seeds",
      String(n),
      shown(mean),
      interval === null ? "-" : interval.map(formatValue).join(" to "),
    ]),
  ]);
  return [...lines, "", ...means].join("\n");
}
