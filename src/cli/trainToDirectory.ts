/** Trains a run for the command line, with progress output, checkpoints, the elite and a clean stop. */
import { manifestToObject } from "../manifests/index.ts";
import { sharesSteps } from "../manifests/sharedSteps.ts";
import { reasonOf } from "../storage/files.ts";
import { consoleObserver, type TrainingObserver } from "../tracking/index.ts";
import type { LocalTrainer } from "../training/index.ts";
import type { TrainingRun } from "../training/loop.ts";
import { hpConfigOf, type TrackerOptions } from "../training/plan.ts";
import { workloadOf } from "../training/workloads/registry.ts";
import { CliError, type CliIo, EXIT, exitCodeOf, jsonLine, jsonLines } from "./CliIo.ts";
import { type Kept, RunDirectory } from "./RunDirectory.ts";

/** A word to paste into a shell, quoted if necessary. */
export const shellWord = (text: string): string =>
  /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

interface TrainRequest {
  readonly trainer: LocalTrainer;
  /** The command that goes on from a checkpoint. */
  readonly resumeWith: (checkpoint: string) => string;
  /** Directory for the run's files. */
  readonly directory: string;
  /** Prefix of the run's checkpoint names. */
  readonly base: string;
  /** Undoes the changes that opening the directory made. */
  readonly takeBack: () => Promise<void>;
  readonly population: number;
  /** The run's random seed, which checkpoints store. */
  readonly seed: number;
  readonly json: boolean;
  readonly trackers: TrackerOptions;
  /** Receives the run's events too (default: none). */
  readonly observer?: TrainingObserver | undefined;
}

/** Milliseconds between checkpoints if the manifest does not set `checkpoint_steps`. */
const CHECKPOINT_MS = 30_000;

/** @returns the exit code. */
export async function trainToDirectory(request: TrainRequest, io: CliIo): Promise<number> {
  const { trainer, directory, base, takeBack, population, seed, json, trackers } = request;
  const { algorithm, mutation, training } = trainer.manifest;
  const screen = json
    ? jsonLines(io.stdout)
    : consoleObserver({
        stream: io.stdout,
        total_steps: training.max_steps * (sharesSteps(algorithm.name) ? 1 : population),
        hyperparameters: hpConfigOf(algorithm, mutation?.rl_hp_selection).names,
      });
  const sink = new RunDirectory({
    store: io.store,
    files: workloadOf(trainer.manifest).files,
    base,
    directory,
    facts: trainer.facts,
    seed,
    manifest: manifestToObject(trainer.manifest),
    every: training.checkpoint_steps === null ? CHECKPOINT_MS : null,
    observer: screen,
    onFailed: () => {
      if (!json && io.stdout.isTTY) io.stdout.write("\n");
    },
  });
  // Standard output carries nothing but JSON with `--json`.
  const note = (text: string): void => void (json ? io.stderr : io.stdout).write(`${text}\n`);
  const session: { run: TrainingRun | null; isStopped: boolean } = { run: null, isStopped: false };
  const release = io.onInterrupt(() => {
    session.isStopped = true;
    session.run?.stop();
  });
  try {
    await trainer.trainInto((outputs) => sink.around(outputs), {
      verbose: false,
      ...trackers,
      ...(training.checkpoint_steps === null ? {} : { checkpoint_path: base }),
      observer: {
        on: (event) => {
          sink.hear(event);
          request.observer?.on(event);
        },
        episodes: json,
      },
      onRun: (run) => {
        session.run = run;
        note(`Output: ${directory}`);
        if (session.isStopped) run.stop();
      },
    });
  } catch (error) {
    if (session.run) throw failed(error, session.run.state.generation, request, sink.kept);
    await takeBack();
    throw error;
  } finally {
    release();
  }
  const { end, kept } = sink;
  if (!session.run || !end) throw new Error("the training run ended without a report");
  const { checkpoint_path, elite_path, problem } = kept;
  const last = { ...end, checkpoint_path, elite_path };
  if (!json) screen.on(end);
  else if (problem === null) jsonLine(io.stdout, last);
  if (elite_path) note(`Elite: ${elite_path}`);
  if (problem !== null) {
    const what = checkpoint_path ? "the elite" : "the run's end";
    const message = `${what} could not be saved in ${directory}: ${reasonOf(problem)}. Earlier checkpoints are kept`;
    throw new CliError(message, exitCodeOf(problem), { cause: problem, lastEvent: last });
  }
  if (end.reason !== "stopped") return EXIT.ok;
  note(keptText(session.run.state.generation, request, checkpoint_path));
  return EXIT.interrupted;
}

/** The error of a failed run, with what is kept of it. */
function failed(error: unknown, generation: number, request: TrainRequest, kept: Kept): unknown {
  if (generation === 0) return error;
  const { checkpoint_path, elite_path, problem } = kept;
  const lines = [reasonOf(error)];
  if (checkpoint_path !== null) lines.push(keptText(generation, request, checkpoint_path));
  if (problem !== null) {
    const what = checkpoint_path === null ? "The last generation" : "The elite";
    lines.push(`${what} could not be saved: ${reasonOf(problem)}`);
  }
  if (checkpoint_path === null && elite_path !== null) lines.push(`Its elite is kept: ${elite_path}`);
  return new CliError(lines.join("\n"), exitCodeOf(error), { cause: error });
}

const keptText = (generation: number, { resumeWith }: TrainRequest, checkpoint: string | null): string =>
  `Generation ${generation} is kept. Resume with: ${resumeWith(checkpoint ?? "CHECKPOINT")}`;
