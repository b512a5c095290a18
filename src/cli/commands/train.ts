import "../../workers/index.ts";
import { availableParallelism } from "node:os";
import { requireSeed } from "../../evolution/random.ts";
import { seedList } from "../../manifests/algorithms.ts";
import {
  type ParseManifestOptions,
  parseManifest,
  SpecError,
  type StageRun,
  type TrainingManifest,
} from "../../manifests/index.ts";
import { stagesInText } from "../../manifests/text.ts";
import { listEnvironments } from "../../rl/environments.ts";
import { reasonOf } from "../../storage/files.ts";
import { seedOf, type TrackerOptions, withoutEvolution } from "../../training/plan.ts";
import { workloadIssues, workloadOf } from "../../training/workloads/registry.ts";
import { keptModule } from "../../training/workloads.ts";
import { CliError, type CliIo, EXIT, readManifestFile, usageError } from "../CliIo.ts";
import type { Command, CommandLine } from "../CommandLine.ts";
import { loadGivenModule, MODULE_OPTION, withModuleHint } from "../modules.ts";
import { freshDirectory, resumePoint } from "../outputDirectory.ts";
import { trainManifest } from "../trainManifest.ts";
import { trainSweepToDirectory } from "../trainSweepToDirectory.ts";
import { shellWord } from "../trainToDirectory.ts";
import { openNamedModule, TIMEOUT_OPTION, timeoutOption } from "../userModules.ts";

const DEVICES = ["auto", "wasm", "webgpu"] as const;

export const train: Command = {
  name: "train",
  summary: "Trains the population that a manifest describes.",
  operands: ["[MANIFEST]"],
  options: {
    device: { value: DEVICES.join("|"), help: "Where kernels run (default: auto)." },
    hpo: {
      value: "search",
      bare: "true",
      help: "Evolves hyperparameters where the manifest has no mutation and selection: with default tournaments, or with search by the recipe of docs/evolution.md.",
    },
    "no-evolution": {
      help: "Trains the manifest's pair: the same population without selection and mutation, for as many steps in total.",
    },
    seed: {
      value: "N",
      help: "Random seed (default: the manifest's training.seed, else 42).",
    },
    out: {
      value: "DIR",
      help: "Output directory for checkpoints and the elite, not used by another run (default: a new one named after the manifest).",
    },
    seeds: {
      value: "1..10",
      help: "Trains once with each of these seeds (1..10, or 1,2,5), into folders of one directory, with a table at the end.",
    },
    sweep: {
      value: "FILE",
      help: "Trains every combination of the values that a sweep's file lists (docs/guides/sweeps.md). With --out DIR of an earlier start, it goes on.",
    },
    resume: {
      value: "CHECKPOINT",
      help: "Resumes from a checkpoint directory, from the newest checkpoint in a run's directory, or from an agent file.",
    },
    workers: { value: "N", help: "Number of worker threads (default: one per core)." },
    wb: {
      help: "Logs to Weights & Biases, or to MLflow (RLKIT_TRACKER=mlflow); keys are read from environment variables.",
    },
    board: { help: "Writes the run's metrics as TensorBoard events." },
    "board-log-dir": { value: "DIR", help: "Where --board writes (default: board_logs)." },
    csv: {
      value: "FILE",
      help: "Writes the run's metrics to a CSV file, one row per generation. A resumed run continues the file.",
    },
    ...MODULE_OPTION,
    ...TIMEOUT_OPTION,
    json: { help: "Prints one JSON object per line: generation, checkpoint and warning events, then end." },
  },
  run: runTrain,
};

/** Options that a sweep has no use for, and why. */
const NOT_OF_SWEEPS: Readonly<Record<string, string>> = {
  seed: "give --seeds",
  resume: "give the sweep's directory with --out: its finished runs are skipped, others resume",
  csv: "a sweep writes results.csv into its directory",
};

/** The same for a manifest with stages. */
const NOT_OF_STAGES: Readonly<Record<string, string>> = {
  resume: "give the directory with --out: its finished stages are skipped, others resume",
  csv: "each stage writes into its own folder",
  "no-evolution": "each stage has its own evolution",
};

async function runTrain(line: CommandLine, io: CliIo): Promise<number> {
  const device = line.choice("device", DEVICES) ?? "auto";
  const hpo = line.choice("hpo", ["true", "search"]);
  const seed = line.integer("seed", 0);
  if (seed !== null) requireSeed(seed, "--seed");
  const workers = line.integer("workers", 1) ?? availableParallelism();
  const resume = line.text("resume");
  const out = line.text("out");
  const [sweep, seeds] = [line.text("sweep"), line.text("seeds")];
  const { timeout_s } = timeoutOption(line);
  const manifestPath = line.operand(0);
  const settings = { device, workers, timeout_s, json: line.flag("json"), trackers: trackerOptions(line) };

  if (sweep !== null || seeds !== null) {
    const [unused] = Object.keys(NOT_OF_SWEEPS).filter((name) => line.text(name) !== null);
    if (unused !== undefined)
      throw usageError(`--${unused}: not allowed with --sweep or --seeds; ${NOT_OF_SWEEPS[unused]}`);
    if (seeds !== null) requireSeeds(seeds);
    const modules = await loadGivenModule(line);
    const adapt = line.flag("no-evolution") ? pairOf : (manifest: TrainingManifest) => manifest;
    const named = { sweep, manifestPath: manifestPath || null, seeds, out };
    const sweeps = { ...settings, ...named, modules, adapt, hpo: hpoOf(hpo), stages: null, seed: null };
    return trainSweepToDirectory(sweeps, io);
  }
  if (manifestPath === "") throw usageError(MISSING);
  const modules = await loadGivenModule(line);
  const stages = await stagesIn(io, manifestPath, hpoOf(hpo));
  if (stages !== null) {
    const unused = Object.keys(NOT_OF_STAGES).find((name) => line.flag(name) || line.text(name) !== null);
    if (unused !== undefined)
      throw usageError(`--${unused}: not allowed with stages; ${NOT_OF_STAGES[unused]}`);
    const named = { sweep: null, manifestPath, seeds: null, out };
    const adapt = (manifest: TrainingManifest) => manifest;
    return trainSweepToDirectory({ ...settings, ...named, modules, adapt, hpo: undefined, stages, seed }, io);
  }
  const { manifest: given, from } = await parseFile(io, manifestPath, { resume, timeout_s, hpo });
  const manifest = line.flag("no-evolution") ? pairOf(given) : given;
  const directory = out ?? (await freshDirectory(io.store, manifestPath, new Date()));
  return trainManifest(
    {
      ...settings,
      modules,
      manifest,
      from,
      directory,
      own: out === null,
      seed,
      manifestSeed: seedOf(given),
      resumeWith: (checkpoint) => `rlkit train ${shellWord(manifestPath)} --resume ${shellWord(checkpoint)}`,
    },
    io,
  );
}

const MISSING =
  "train: MANIFEST is missing; give a manifest's file, or a sweep's with --sweep FILE; see rlkit train --help";

/** @throws CliError unless it is a list of seeds. */
function requireSeeds(seeds: string): void {
  try {
    seedList(seeds, "--seeds");
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    throw usageError(error.issues.map(({ path, message }) => `${path}: ${message}`).join("; "));
  }
}

/** What `--hpo` replaces `training.hpo` with. */
const hpoOf = (hpo: "true" | "search" | null): boolean | "search" | undefined =>
  hpo === "true" ? true : (hpo ?? undefined);

/** @throws CliError for `--board-log-dir` without `--board`. */
function trackerOptions(line: CommandLine): TrackerOptions {
  const board = line.flag("board");
  const board_log_dir = line.text("board-log-dir");
  const csv_log_dir = line.text("csv");
  if (board_log_dir !== null && !board)
    throw new CliError(
      "--board-log-dir: found a directory, allowed only with --board; add --board",
      EXIT.usage,
    );
  return { wb: line.flag("wb"), board, board_log_dir, csv: csv_log_dir !== null, csv_log_dir };
}

/** @throws CliError for a manifest without evolution. */
function pairOf(manifest: TrainingManifest): TrainingManifest {
  const prepare = (each: TrainingManifest) => workloadOf(each).runs.prepare(each, seedOf(manifest));
  try {
    return withoutEvolution(manifest, prepare);
  } catch (error) {
    throw new CliError(`--no-evolution: ${reasonOf(error)}`, EXIT.usage, { cause: error });
  }
}

/** The stages of a manifest's file; null if it has none. @throws CliError listing every problem. */
async function stagesIn(
  { store, stderr }: CliIo,
  path: string,
  hpo: boolean | "search" | undefined,
): Promise<readonly StageRun[] | null> {
  const text = await readManifestFile(store, path);
  const options: ParseManifestOptions = {
    environments: listEnvironments(),
    hpo,
    alsoCheck: workloadIssues,
    onTranslated: ({ path: key, message }) => stderr.write(`${path}: ${key} ${message}\n`),
  };
  try {
    return stagesInText(text, path, options);
  } catch (error) {
    throw faultyManifest(error, path);
  }
}

/** The error for a manifest with problems; other errors as they are. */
function faultyManifest(error: unknown, path: string): unknown {
  if (!(error instanceof SpecError)) return error;
  const { message } = new SpecError(withModuleHint(error.issues), "manifest");
  return new CliError(`${path}: ${message}`, EXIT.failed, { cause: error });
}

interface ParsedFile {
  readonly manifest: TrainingManifest;
  /** The checkpoint to resume from; null for a new run. */
  readonly from: string | null;
}

async function parseFile(
  io: CliIo,
  path: string,
  {
    resume,
    timeout_s,
    hpo,
  }: {
    readonly resume: string | null;
    readonly timeout_s: number | undefined;
    readonly hpo: "true" | "search" | null;
  },
): Promise<ParsedFile> {
  const { store, stderr } = io;
  const text = await readManifestFile(store, path);
  let from: string | null | undefined;
  const resumed = async ({ training }: TrainingManifest): Promise<string | null> => {
    from ??= resume === null ? null : await resumePoint(io, resume, training.checkpoint_path);
    return from;
  };
  await openNamedModule(text, async (manifest) => {
    const checkpoint = await resumed(manifest);
    return {
      store,
      kept: checkpoint === null ? null : await keptModule(store, checkpoint),
      ...(timeout_s !== undefined && { timeout_s }),
    };
  });
  try {
    const manifest = parseManifest(text, {
      environments: listEnvironments(),
      name: path,
      hpo: hpoOf(hpo),
      alsoCheck: workloadIssues,
      onTranslated: ({ path: key, message }) => stderr.write(`${path}: ${key} ${message}\n`),
    });
    return { manifest, from: await resumed(manifest) };
  } catch (error) {
    throw faultyManifest(error, path);
  }
}
