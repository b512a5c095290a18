/** Trains one claimed run until it ends or another worker claims it. */

import { reasonOf } from "../../../src/storage/files.ts";
import type { FileStore } from "../../../src/storage/index.ts";
import {
  bestOf,
  type EndReport,
  type GenerationReport,
  type TrainingEvent,
  TrainingRun,
} from "../../../src/training/loop.ts";
import type { ArtifactStore } from "../artifacts/ArtifactStore.ts";
import type { Notifications } from "../database/Notifications.ts";
import type { ClaimedRun } from "../runs/ClaimedRun.ts";
import { LostRunError } from "../runs/LostRunError.ts";
import type { Desired } from "../runs/RunRow.ts";
import { RunSaver } from "./RunSaver.ts";
import { RunWriter } from "./RunWriter.ts";
import { type RunExecutorOptions, runExecutor } from "./runExecutor.ts";
import { type StartingPoint, startingState } from "./startingState.ts";

export interface RunDriverOptions
  extends Pick<RunExecutorOptions, "database" | "queues" | "turns" | "cores" | "lock_ms"> {
  readonly run: ClaimedRun;
  readonly artifacts: ArtifactStore;
  /** File store of the data sets that runs learn from. */
  readonly files: FileStore;
  /** Whether runs may download data sets from the hub. */
  readonly fetches: boolean;
  /** Notifications of changed run rows. */
  readonly changes: Notifications;
  readonly checkpoint_ms: number;
  /** Milliseconds between polls of the run's row, for changes whose notification was missed. */
  readonly look_ms: number;
}

/** How driving a run ended: the run ended, another worker has claimed it, or another should continue it. */
export type Driven = "done" | "lost" | "released";

export class RunDriver {
  readonly #options: RunDriverOptions;
  readonly #writer = new RunWriter((error) => this.#writeFailed(error));
  readonly #ending = new AbortController();
  #training: TrainingRun | null = null;
  #desired: Desired = "run";
  #releasing = false;
  #looking: Promise<void> = Promise.resolve();
  /** Fitness of the best member of the last generation. */
  #fitness: number | null = null;

  constructor(options: RunDriverOptions) {
    this.#options = options;
  }

  /** Stops at the last generation boundary and returns the run to the queue. */
  release(): void {
    this.#releasing = true;
    this.#ending.abort();
    this.#training?.stop();
  }

  async drive(): Promise<Driven> {
    try {
      return await this.#drive();
    } catch (error) {
      // The worker that has the run now records its end.
      if (error instanceof LostRunError) return "lost";
      throw error;
    }
  }

  async #drive(): Promise<Driven> {
    const { run } = this.#options;
    let start: StartingPoint;
    try {
      start = await startingState(run, this.#options);
    } catch (error) {
      await run.end("failed", `The run could not be started: ${reasonOf(error)}`);
      return "done";
    }
    for (const message of start.warnings) this.#warn(message);
    const stopListening = this.#listen();
    try {
      return await this.#train(start);
    } finally {
      stopListening();
      await this.#looking;
    }
  }

  async #train(start: StartingPoint): Promise<Driven> {
    const { run, artifacts, checkpoint_ms } = this.#options;
    const { manifest, definition, state, modules } = start;
    const executor = runExecutor({
      ...this.#options,
      run: run.row,
      definition,
      members: state.members.length,
      onNotice: (message) => this.#warn(message),
    });
    const saver = new RunSaver({
      run,
      artifacts,
      writer: this.#writer,
      definition,
      manifest,
      start: state,
      checkpoint_ms,
      signal: this.#ending.signal,
    });
    const training = new TrainingRun(state, {
      ...definition.runs.prepare(manifest, run.row.seed, state.members.length, modules && { modules }),
      executor,
      observer: { on: (event) => this.#hear(event) },
      atBoundary: async (now) => saver.offer(now, this.#fitness),
    });
    this.#training = training;
    await this.#look();
    let [end, failure]: [EndReport | null, unknown] = [null, null];
    try {
      end = this.#releasing ? null : await training.train();
    } catch (error) {
      failure = error;
    } finally {
      await executor.close();
    }
    await this.#writer.flush().catch((error: unknown) => {
      if (error instanceof LostRunError) throw error;
      failure = error;
    });
    if (failure !== null) {
      await run.end("failed", `Generation ${training.state.generation + 1} failed: ${reasonOf(failure)}`);
      return "done";
    }
    if (training.state.generation > 0) await saver.finish(training.state, this.#fitness);
    await this.#writer.flush();
    if (this.#releasing) {
      await run.release();
      return "released";
    }
    await run.end(end?.reason === "stopped" ? "stopped" : "finished", end?.reason ?? null);
    return "done";
  }

  /** Watches the state that the run's owner wants, until the returned function is called. */
  #listen(): () => void {
    const { changes, look_ms, run } = this.#options;
    const look = (): void => {
      this.#looking = this.#looking.then(() => this.#look());
    };
    const silence = changes.listen((id) => {
      if (id === null || id === run.row.id) look();
    });
    const timer = setInterval(look, look_ms);
    return () => {
      silence();
      clearInterval(timer);
    };
  }

  async #look(): Promise<void> {
    const { run } = this.#options;
    let desired: Desired;
    try {
      desired = await run.desired();
    } catch (error) {
      if (error instanceof LostRunError) this.#writer.add(() => Promise.reject(error));
      // If the database is unreachable, the next poll tries again.
      return;
    }
    const before = this.#desired;
    const training = this.#training;
    if (desired === before || !training) return;
    this.#desired = desired;
    if (desired === "stop") training.stop();
    if (desired === "pause") training.pause();
    if (desired === "run") training.resume();
    if (desired !== "stop") this.#writer.add(() => run.state(desired === "pause" ? "paused" : "running"));
  }

  #hear(event: TrainingEvent): void {
    const { run } = this.#options;
    switch (event.event) {
      case "generation":
        this.#generation(event);
        return;
      case "progress":
        this.#writer.replace(() => run.progress(event));
        return;
      case "warning":
        this.#warn(event.message);
        return;
      case "checkpoint":
      case "completions":
      case "download":
      case "end":
    }
  }

  #generation(report: GenerationReport): void {
    const { generation, global_step, fitnesses } = report;
    const best = fitnesses[bestOf(fitnesses)];
    this.#fitness = best !== undefined && Number.isFinite(best) ? best : null;
    const position = { generation, global_step, best_fitness: this.#fitness };
    this.#writer.add(() => this.#options.run.generation(report, position));
  }

  #warn(message: string): void {
    this.#writer.add(() => this.#options.run.warn(message));
  }

  /** Stops training, because nothing more can be written. */
  #writeFailed(error: unknown): void {
    if (error instanceof LostRunError) this.#ending.abort();
    this.#training?.stop();
  }
}
