import "../../workers/index.ts";
import { availableParallelism } from "node:os";
import { requireSeed } from "../../evolution/random.ts";
import { findAdapter } from "../../kernels/webgpu.ts";
import { manifestToYaml, parseManifest, SpecError, type TrainingManifest } from "../../manifests/index.ts";
import { listEnvironments } from "../../rl/environments.ts";
import { reasonOf } from "../../storage/files.ts";
import type { FileStore } from "../../storage/index.ts";
import { Accelerator } from "../../training/executors.ts";
import { LocalTrainer } from "../../training/index.ts";
import { seedOf, type TrackerOptions, withoutEvolution } from "../../training/plan.ts";
import { workloadIssues, workloadOf } from "../../training/workloads/registry.ts";
import { keptModule, type LoadedCheckpoint, loadCheckpoint } from "../../training/workloads.ts";
import { CliError, type CliIo, EXIT, exitCodeOf, readManifestFile } from "../CliIo.ts";
import type { Command, CommandLine } from "../CommandLine.ts";
import { loadGivenModule, MODULE_OPTION, withModuleHint } from "../modules.ts";
import {
  checkpointBase,
  clearLeftovers,
  freshDirectory,
  openDirectory,
  requireOwnDirectory,
  resumePoint,
} from "../outputDirectory.ts";
import { trainToDirectory } from "../trainToDirectory.ts";
import { openNamedModule, TIMEOUT_OPTION, timeoutOption } from "../userModules.ts";

const DEVICES = ["auto", "wasm", "webgpu"] as const;

export const train: Command = {
  name: "train",
  summary: "Trains the population that a manifest describes.",
  operands: ["MANIFEST"],
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

async function runTrain(line: CommandLine, io: CliIo): Promise<number> {
  const { store } = io;
  const json = line.flag("json");
  const device = line.choice("device", DEVICES) ?? "auto";
  const hpo = line.choice("hpo", ["true", "search"]);
  const seed = line.integer("seed", 0);
  if (seed !== null) requireSeed(seed, "--seed");
  const wanted = line.integer("workers", 1) ?? availableParallelism();
  const resume = line.text("resume");
  const out = line.text("out");
  const { timeout_s } = timeoutOption(line);

  const modules = await loadGivenModule(line);
  const manifestPath = line.operand(0);
  const { manifest: given, from } = await parseFile(io, manifestPath, { resume, timeout_s, hpo });
  const manifest = line.flag("no-evolution") ? pairOf(given) : given;
  const directory = out ?? (await freshDirectory(store, manifestPath, new Date()));
  const { checkpoint_path } = manifest.training;
  const base = checkpointBase(directory, checkpoint_path);
  const loaded = from === null ? null : await loadResumed(store, from);
  const saved = loaded?.kind === "run" ? loaded.run : null;
  const population = saved?.state.members.length ?? manifest.training.pop_size;
  const runSeed = seed ?? saved?.seed ?? seedOf(given);

  const unlock = await io.lock?.(directory).catch(notWritten);
  try {
    if (out !== null) await requireOwnDirectory(store, out, saved && from);
    const trainer = await LocalTrainer.fromManifest(withSeed(manifest, runSeed), {
      device,
      accelerator: new Accelerator({ workers: Math.min(wanted, population), modules }),
      resume_from_checkpoint: from,
      seed: runSeed,
      store,
      ...(timeout_s !== undefined && { environment_timeout_s: timeout_s }),
    });

    // If a GPU was requested by name and there is none, this throws before anything is written.
    if (trainer.device === "webgpu") await findAdapter();

    await clearLeftovers(store, directory, base).catch(notWritten);
    const text = `# Seed of the run: ${runSeed} (--seed ${runSeed})\n${manifestToYaml(trainer.manifest)}`;
    const takeBack = await openDirectory(store, directory, text).catch(notWritten);
    return await trainToDirectory(
      {
        trainer,
        manifestPath,
        directory,
        base,
        takeBack,
        population,
        seed: runSeed,
        json,
        trackers: trackerOptions(line),
      },
      io,
    );
  } finally {
    await unlock?.();
  }
}

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

function notWritten(error: unknown): never {
  if (error instanceof CliError) throw error;
  throw new CliError(`--out: ${reasonOf(error)}`, exitCodeOf(error), { cause: error });
}

/** The manifest with the seed in effect, where it has its own, so that the saved manifest repeats the run. */
function withSeed({ training, mutation, ...rest }: TrainingManifest, seed: number): TrainingManifest {
  const isOfMutation = mutation !== null && training.seed === null;
  return {
    ...rest,
    training: isOfMutation ? training : { ...training, seed },
    mutation: mutation && { ...mutation, rand_seed: seed },
  };
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
      hpo: hpo === "true" ? true : (hpo ?? undefined),
      alsoCheck: workloadIssues,
      onTranslated: ({ path: key, message }) => stderr.write(`${path}: ${key} ${message}\n`),
    });
    return { manifest, from: await resumed(manifest) };
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    const { message } = new SpecError(withModuleHint(error.issues), "manifest");
    throw new CliError(`${path}: ${message}`, EXIT.failed, { cause: error });
  }
}

async function loadResumed(store: FileStore, path: string): Promise<LoadedCheckpoint> {
  try {
    return await loadCheckpoint(store, path);
  } catch (error) {
    throw new CliError(`--resume: ${reasonOf(error)}`, exitCodeOf(error), { cause: error });
  }
}
