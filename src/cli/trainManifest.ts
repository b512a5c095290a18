/** Trains one manifest into a directory that belongs to its run. */
import { findAdapter } from "../kernels/webgpu.ts";
import { manifestToYaml, type TrainingManifest } from "../manifests/index.ts";
import { reasonOf } from "../storage/files.ts";
import type { FileStore } from "../storage/index.ts";
import type { TrainingObserver } from "../tracking/index.ts";
import { Accelerator } from "../training/executors.ts";
import { LocalTrainer } from "../training/index.ts";
import { type TrackerOptions, withSeed } from "../training/plan.ts";
import { workloadOf } from "../training/workloads/registry.ts";
import { type LoadedCheckpoint, loadCheckpoint } from "../training/workloads.ts";
import { CliError, type CliIo, exitCodeOf } from "./CliIo.ts";
import { checkpointBase, clearLeftovers, openDirectory, requireOwnDirectory } from "./outputDirectory.ts";
import { trainToDirectory } from "./trainToDirectory.ts";

/** What all runs of a command have in common. */
export interface TrainSettings {
  readonly device: string;
  /** Most worker threads. */
  readonly workers: number;
  /** URLs of modules that workers import. */
  readonly modules: readonly string[];
  readonly timeout_s: number | undefined;
  readonly json: boolean;
  readonly trackers: TrackerOptions;
}

interface ManifestRun extends TrainSettings {
  readonly manifest: TrainingManifest;
  /** Checkpoint to resume from; null for a new run. */
  readonly from: string | null;
  readonly directory: string;
  /** Whether the directory is known to belong to this run. */
  readonly own: boolean;
  /** The seed that was asked for; null for the checkpoint's, or `manifestSeed`. */
  readonly seed: number | null;
  readonly manifestSeed: number;
  readonly resumeWith: (checkpoint: string) => string;
  readonly observer?: TrainingObserver;
  /** The elite's file of the stage before this run (default: none). */
  readonly after?: string | null;
}

/** @returns the exit code. */
export async function trainManifest(run: ManifestRun, io: CliIo): Promise<number> {
  const { manifest, from, directory, device, workers, modules, timeout_s } = run;
  const { store } = io;
  const base = checkpointBase(directory, manifest.training.checkpoint_path);
  const loaded = from === null ? null : await loadResumed(store, from);
  const saved = loaded?.kind === "run" ? loaded.run : null;
  const population = saved?.state.members.length ?? manifest.training.pop_size;
  const seed = run.seed ?? saved?.seed ?? run.manifestSeed;

  const unlock = await io.lock?.(directory).catch(notWritten);
  try {
    if (!run.own) await requireOwnDirectory(store, directory, saved && from);
    const trainer = await LocalTrainer.fromManifest(withSeed(manifest, seed), {
      device,
      accelerator: new Accelerator({ workers: Math.min(workers, population), modules }),
      resume_from_checkpoint: from,
      seed,
      store,
      ...(timeout_s !== undefined && { environment_timeout_s: timeout_s }),
    });

    if (run.after && from === null) {
      const { files } = workloadOf(manifest);
      trainer.after(files.decodeAgent(await store.read(run.after), run.after));
    }

    // If a GPU was requested by name and there is none, this throws before anything is written.
    if (trainer.device === "webgpu") await findAdapter();

    await clearLeftovers(store, directory, base).catch(notWritten);
    const text = `# Seed of the run: ${seed} (--seed ${seed})\n${manifestToYaml(trainer.manifest)}`;
    const takeBack = await openDirectory(store, directory, text).catch(notWritten);
    const { json, trackers, resumeWith, observer } = run;
    const request = { trainer, directory, base, takeBack, population, seed, json, trackers, resumeWith };
    return await trainToDirectory({ ...request, observer }, io);
  } finally {
    await unlock?.();
  }
}

/** Reports a directory that cannot be written. */
export function notWritten(error: unknown): never {
  if (error instanceof CliError) throw error;
  throw new CliError(`--out: ${reasonOf(error)}`, exitCodeOf(error), { cause: error });
}

async function loadResumed(store: FileStore, path: string): Promise<LoadedCheckpoint> {
  try {
    return await loadCheckpoint(store, path);
  } catch (error) {
    throw new CliError(`--resume: ${reasonOf(error)}`, exitCodeOf(error), { cause: error });
  }
}
