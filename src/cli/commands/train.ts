import { availableParallelism } from "node:os";
import { findAdapter } from "../../kernels/wgsl/openGpu.ts";
import { listEnvironments } from "../../rl/environments/index.ts";
import { requireSeed } from "../../rl/seed.ts";
import { manifestToYaml, parseManifest, SpecError, type TrainingManifest } from "../../specs/index.ts";
import type { FileStore } from "../../storage/index.ts";
import { reasonOf } from "../../storage/storageError.ts";
import { Accelerator } from "../../training/Accelerator.ts";
import { LocalTrainer } from "../../training/LocalTrainer.ts";
import { type LoadedCheckpoint, loadCheckpoint } from "../../training/loadCheckpoint.ts";
import { seedOf } from "../../training/run/buildRun.ts";
import { runIssues } from "../../training/run/runIssues.ts";
import { CliError, exitCodeOf } from "../CliError.ts";
import { type CliIo, EXIT } from "../CliIo.ts";
import type { Command, CommandLine } from "../CommandLine.ts";
import { freshDirectory, openDirectory, requireOwnDirectory } from "../outputDirectory.ts";
import { readManifestFile } from "../readManifestFile.ts";
import { trainToDirectory } from "../trainToDirectory.ts";
// Brings in the pool of workers, which training itself must not import.
import "../../workers/index.ts";

const DEVICES = ["auto", "wasm", "webgpu"] as const;

export const train: Command = {
  name: "train",
  summary: "Trains the population that a manifest describes.",
  operands: ["MANIFEST"],
  options: {
    device: { value: DEVICES.join("|"), help: "Where kernels run; auto unless given." },
    seed: {
      value: "N",
      help: "Seed of every draw; the manifest's mutation.rand_seed unless given, else 42.",
    },
    out: {
      value: "DIR",
      help: "Directory for checkpoints and the elite, of no other run; a new one named after the manifest unless given.",
    },
    resume: { value: "CHECKPOINT", help: "Goes on from a checkpoint directory, or from one agent's file." },
    workers: { value: "N", help: "Threads that members are spread over; as many as cores unless given." },
    json: { help: "Prints one JSON object a line: generation, checkpoint and warning events, then end." },
  },
  run: runTrain,
};

async function runTrain(line: CommandLine, io: CliIo): Promise<number> {
  const { store } = io;
  const json = line.flag("json");
  const device = line.choice("device", DEVICES) ?? "auto";
  const seed = line.integer("seed", 0);
  if (seed !== null) requireSeed(seed, "--seed");
  const wanted = line.integer("workers", 1) ?? availableParallelism();
  const resume = line.text("resume");
  const out = line.text("out");

  const manifestPath = line.operand(0);
  const manifest = await parseFile(io, manifestPath);
  const loaded = resume === null ? null : await loadResumed(store, resume);
  const saved = loaded?.kind === "run" ? loaded.run : null;
  const population = saved?.state.members.length ?? manifest.training.pop_size;
  if (out !== null) await requireOwnDirectory(store, out, saved && resume);
  const runSeed = seed ?? saved?.seed ?? seedOf(manifest);
  const trainer = await LocalTrainer.fromManifest(manifest, {
    device,
    accelerator: new Accelerator({ workers: Math.min(wanted, population) }),
    resume_from_checkpoint: resume,
    seed: runSeed,
    store,
  });

  // Before anything is written: a GPU asked for by name is there, or nothing starts.
  if (trainer.device === "webgpu") await findAdapter();

  const directory = out ?? (await freshDirectory(store, manifestPath, new Date()));
  const takeBack = await openDirectory(store, directory, manifestToYaml(trainer.manifest)).catch(
    (error: unknown) => {
      throw new CliError(`--out: ${reasonOf(error)}`, exitCodeOf(error), { cause: error });
    },
  );
  return trainToDirectory(
    { trainer, manifestPath, directory, takeBack, population, seed: runSeed, json },
    io,
  );
}

async function parseFile({ store, stderr }: CliIo, path: string): Promise<TrainingManifest> {
  const text = await readManifestFile(store, path);
  try {
    return parseManifest(text, {
      environments: listEnvironments(),
      name: path,
      alsoCheck: runIssues,
      onTranslated: ({ path: key, message }) => stderr.write(`${path}: ${key} ${message}\n`),
    });
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    throw new CliError(`${path}: ${error.message}`, EXIT.failed, { cause: error });
  }
}

async function loadResumed(store: FileStore, path: string): Promise<LoadedCheckpoint> {
  try {
    return await loadCheckpoint(store, path);
  } catch (error) {
    throw new CliError(`--resume: ${reasonOf(error)}`, exitCodeOf(error), { cause: error });
  }
}
