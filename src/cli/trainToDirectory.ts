/** Trains with everything that the command line promises: progress, checkpoints, the elite, a clean stop. */
import { manifestToObject } from "../specs/index.ts";
import { sharesSteps } from "../specs/sharedSteps.ts";
import { joinPath } from "../storage/index.ts";
import { reasonOf } from "../storage/storageError.ts";
import {
  consoleObserver,
  type EndReport,
  type TrainingEvent,
  type TrainingObserver,
} from "../tracking/index.ts";
import { ELITE_FILE } from "../training/loop/runFiles.ts";
import { globalStep, type RunState } from "../training/loop/runState.ts";
import type { TrainingRun } from "../training/loop/TrainingRun.ts";
import type { Member } from "../training/loop/Workload.ts";
import type { TrackerOptions } from "../training/options/trackerOptions.ts";
import { hpConfigOf } from "../training/plan/buildRun.ts";
import type { LocalTrainer } from "../training/trainers/LocalTrainer.ts";
import { OutputLostError } from "../training/trainers/OutputLostError.ts";
import { workloadOf } from "../training/workloads/registry.ts";
import { CliError, exitCodeOf } from "./CliError.ts";
import { type CliIo, EXIT } from "./CliIo.ts";
import { jsonLine, jsonLines } from "./jsonLines.ts";
import { RunKeeper } from "./RunKeeper.ts";
import { shellWord } from "./shellWord.ts";

export interface TrainRequest {
  readonly trainer: LocalTrainer;
  readonly manifestPath: string;
  /** Where the run's files go. */
  readonly directory: string;
  /** What the names of its checkpoints begin with. */
  readonly base: string;
  /** Undoes what opening the directory did. */
  readonly takeBack: () => Promise<void>;
  readonly population: number;
  /** Seed that the run draws from, kept in checkpoints. */
  readonly seed: number;
  readonly json: boolean;
  readonly trackers: TrackerOptions;
}

/** Between checkpoints of a manifest that does not say when to write them. */
const CHECKPOINT_MS = 30_000;

/** What a run leaves in its directory; null for what could not be written or was not there. */
interface Kept {
  readonly checkpoint_path: string | null;
  readonly elite_path: string | null;
}

/** With the first thing that could not be written; null where all was. */
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
  /** The last checkpoint that the trainer wrote on the manifest's own terms. */
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
      // What the manifest's own terms could not save may still be saved now, or the end says that it was not.
      if (error instanceof OutputLostError) return this.#finish();
      throw await this.#rescue(error, this.#run.state);
    }
    return this.#finish();
  }

  #on(event: TrainingEvent): void {
    if (event.event === "end") {
      // Shown when all is saved, so that it is the last.
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

  /** The run's last generation boundary as a checkpoint, and its elite beside it: one where the other has no room. */
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

  /** Saves what a run that failed had reached. @returns the error to throw. */
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

  /** For people; standard output is theirs unless it carries JSON. */
  #note(text: string): void {
    const { stdout, stderr } = this.#io;
    (this.#request.json ? stderr : stdout).write(`${text}\n`);
  }
}

const resumeHint = (manifestPath: string, checkpoint: string | null): string =>
  `Go on with: rlkit train ${shellWord(manifestPath)} --resume ${shellWord(checkpoint ?? "CHECKPOINT")}`;
