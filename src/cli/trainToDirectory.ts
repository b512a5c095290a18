/** Trains a run for the command line, with progress output, checkpoints, the elite and a clean stop. */
import { manifestToObject } from "../specs/index.ts";
import { sharesSteps } from "../specs/sections.ts";
import { reasonOf } from "../storage/files.ts";
import { joinPath } from "../storage/index.ts";
import {
  consoleObserver,
  type EndReport,
  type TrainingEvent,
  type TrainingObserver,
} from "../tracking/index.ts";
import { type LocalTrainer, OutputLostError } from "../training/index.ts";
import { ELITE_FILE, globalStep, type Member, type RunState, type TrainingRun } from "../training/loop.ts";
import { hpConfigOf, type TrackerOptions } from "../training/plan.ts";
import { workloadOf } from "../training/workloads/registry.ts";
import { CliError, exitCodeOf } from "./CliError.ts";
import { type CliIo, EXIT } from "./CliIo.ts";
import { jsonLine, jsonLines } from "./jsonLines.ts";
import { RunKeeper } from "./RunKeeper.ts";
import { shellWord } from "./shellWord.ts";

export interface TrainRequest {
  readonly trainer: LocalTrainer;
  readonly manifestPath: string;
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
}

/** Milliseconds between checkpoints if the manifest does not set `checkpoint_steps`. */
const CHECKPOINT_MS = 30_000;

/** Files that a run leaves in its directory; null for a file that could not be written or does not exist. */
interface Kept {
  readonly checkpoint_path: string | null;
  readonly elite_path: string | null;
}

/** The kept files, and the first write error or null. */
type Keeping = readonly [kept: Kept, problem: unknown];

/** @returns the exit code. */
export async function trainToDirectory(request: TrainRequest, io: CliIo): Promise<number> {
  const session = new Session(request, io);
  const release = io.onInterrupt(() => session.stop());
  try {
    return await session.train();
  } finally {
    release();
  }
}

class Session {
  readonly #request: TrainRequest;
  readonly #io: CliIo;
  readonly #screen: TrainingObserver;
  readonly #keeper: RunKeeper;
  #run: TrainingRun | null = null;
  #end: EndReport | null = null;
  #stopped = false;
  /** The last checkpoint that the trainer wrote because of the manifest's `checkpoint_steps`. */
  #periodic: { readonly path: string; readonly global_step: number } | null = null;

  constructor(request: TrainRequest, io: CliIo) {
    const { base, json, population, seed, trainer } = request;
    const { algorithm, mutation, training } = trainer.manifest;
    this.#request = request;
    this.#io = io;
    this.#screen = json
      ? jsonLines(io.stdout)
      : consoleObserver({
          stream: io.stdout,
          total_steps: training.max_steps * (sharesSteps(algorithm.name) ? 1 : population),
          hyperparameters: hpConfigOf(algorithm, mutation?.rl_hp_selection).names,
        });
    this.#keeper = new RunKeeper({
      store: io.store,
      files: workloadOf(trainer.manifest).files,
      base,
      seed,
      manifest: manifestToObject(trainer.manifest),
      every: training.checkpoint_steps === null ? CHECKPOINT_MS : null,
      observer: this.#screen,
    });
  }

  /** Ends the run at its last generation boundary. */
  stop(): void {
    this.#stopped = true;
    this.#run?.stop();
  }

  async train(): Promise<number> {
    const { trainer, directory, base, takeBack, trackers } = this.#request;
    const periodic = trainer.manifest.training.checkpoint_steps !== null;
    try {
      await trainer.train({
        verbose: false,
        ...trackers,
        ...(periodic ? { checkpoint_path: base } : {}),
        observer: { on: (event) => this.#on(event) },
        onRun: (run) => {
          this.#run = run;
          this.#note(`Output: ${directory}`);
          if (this.#stopped) run.stop();
        },
      });
    } catch (error) {
      if (!this.#run) {
        await takeBack();
        throw error;
      }
      // A file that the trainer could not save may still be saved now; otherwise `#finish` reports the error.
      if (error instanceof OutputLostError) return this.#finish();
      throw await this.#rescue(error, this.#run.state);
    }
    return this.#finish();
  }

  #on(event: TrainingEvent): void {
    if (event.event === "end") {
      // Shown after everything is saved, so that it is the last event.
      this.#end = event;
      return;
    }
    this.#screen.on(event);
    if (event.event === "checkpoint") this.#periodic = event;
    if (event.event === "generation" && this.#run) this.#keeper.offer(this.#run.state);
  }

  async #finish(): Promise<number> {
    const { directory, json, manifestPath } = this.#request;
    const [run, end] = [this.#run, this.#end];
    if (!run || !end) throw new Error("the training run ended without a report");
    const [kept, problem] = await this.#keep(run.state);
    const last = { ...end, ...kept };
    if (!json) this.#screen.on(end);
    else if (problem === null) jsonLine(this.#io.stdout, last);
    if (kept.elite_path) this.#note(`Elite: ${kept.elite_path}`);
    if (problem !== null) {
      const what = kept.checkpoint_path ? "the elite" : "the run's end";
      const message = `${what} could not be saved in ${directory}: ${reasonOf(problem)}. Earlier checkpoints are kept`;
      throw new CliError(message, exitCodeOf(problem), { cause: problem, lastEvent: last });
    }
    if (end.reason !== "stopped") return EXIT.ok;
    this.#note(
      `Generation ${run.state.generation} is kept. ${resumeHint(manifestPath, kept.checkpoint_path)}`,
    );
    return EXIT.interrupted;
  }

  /**
   * Saves the last generation boundary as a checkpoint, and the elite beside it; if one fails, the
   * other is still tried.
   */
  async #keep(state: RunState): Promise<Keeping> {
    const problems: unknown[] = [];
    const orNull = (error: unknown): null => {
      problems.push(error);
      return null;
    };
    const written = this.#periodic?.global_step === globalStep(state) ? this.#periodic.path : null;
    const checkpoint_path = written ?? (await this.#keeper.finish(state).catch(orNull));
    const elite_path = state.elite && (await this.#keepElite(state.elite).catch(orNull));
    return [{ checkpoint_path, elite_path }, problems[0] ?? null];
  }

  async #keepElite(elite: Member): Promise<string> {
    const { directory, trainer } = this.#request;
    const { files } = workloadOf(trainer.manifest);
    const path = joinPath(directory, ELITE_FILE);
    await this.#io.store.write(path, files.encodeAgent(elite, trainer.facts));
    return path;
  }

  /** Saves the progress of a failed run. @returns the error to throw. */
  async #rescue(error: unknown, state: RunState): Promise<unknown> {
    if (!this.#request.json && this.#io.stdout.isTTY) this.#io.stdout.write("\n");
    if (state.generation === 0) return error;
    const [{ checkpoint_path, elite_path }, problem] = await this.#keep(state);
    const lines = [reasonOf(error)];
    if (checkpoint_path !== null) {
      const hint = resumeHint(this.#request.manifestPath, checkpoint_path);
      lines.push(`Generation ${state.generation} is kept. ${hint}`);
    }
    if (problem !== null) {
      const what = checkpoint_path === null ? "The last generation" : "The elite";
      lines.push(`${what} could not be saved: ${reasonOf(problem)}`);
    }
    if (checkpoint_path === null && elite_path !== null) lines.push(`Its elite is kept: ${elite_path}`);
    return new CliError(lines.join("\n"), exitCodeOf(error), { cause: error });
  }

  /** Writes text for the user: to standard output, or to standard error when standard output carries JSON. */
  #note(text: string): void {
    const { stdout, stderr } = this.#io;
    (this.#request.json ? stderr : stdout).write(`${text}\n`);
  }
}

const resumeHint = (manifestPath: string, checkpoint: string | null): string =>
  `Resume with: rlkit train ${shellWord(manifestPath)} --resume ${shellWord(checkpoint ?? "CHECKPOINT")}`;
