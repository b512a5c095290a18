/** Writes a library run's outputs to a file store: the elite after each generation, and checkpoints. */

import { reasonOf } from "../../storage/files.ts";
import type { FileStore } from "../../storage/index.ts";
import type { TrainingObserver } from "../../tracking/observer.ts";
import type { LoopPlan } from "../loop/LoopPlan.ts";
import { agentFileName } from "../loop/runFiles.ts";
import type { Kinds, RunState } from "../loop/Workload.ts";
import type { RunFiles } from "../loop/WorkloadDefinition.ts";
import { CheckpointDirectory, withoutExtension } from "./CheckpointDirectory.ts";
import { CheckpointRhythm } from "./CheckpointRhythm.ts";
import type { Boundary, Ending, RunSink } from "./RunSink.ts";

/** The outputs that a caller requests. */
export interface OutputOptions {
  /** Whether to print progress (default: true). */
  readonly verbose?: boolean | undefined;
  readonly save_elite?: boolean | null | undefined;
  readonly elite_path?: string | null | undefined;
  /** Steps of each member between checkpoints. */
  readonly checkpoint_steps?: number | null | undefined;
  readonly checkpoint_path?: string | null | undefined;
  readonly overwrite_checkpoints?: boolean | undefined;
}

export interface DirectorySinkOptions<K extends Kinds = Kinds> extends OutputOptions {
  readonly store: FileStore;
  readonly observer: TrainingObserver;
  /** State that the run starts from, which needs no checkpoint. */
  readonly state: RunState<K>;
  readonly plan: LoopPlan;
  /** How checkpoints and members' files are written. */
  readonly files: RunFiles<K>;
  /** Additional information for members' files. */
  readonly facts: object;
  /** Stored in checkpoints. */
  readonly seed: number;
  /** Stored in checkpoints: the object form of a manifest, or what is known instead. */
  readonly manifest: unknown;
  /** Name of the environment, for file names. */
  readonly environment: string;
  readonly algorithm: string;
  /** Replaces the workload's file of the elite: called after each generation, and with `null` at the end. */
  readonly saveElite?: (elite: K["agent"], generation: number | null) => Promise<void>;
  /** Whether to write a checkpoint of the final state. */
  readonly checkpoint_at_end?: boolean;
}

/** Outputs of a run that were never written. */
export interface LostOutput {
  readonly message: string;
  /** Error of the last attempt. */
  readonly cause: unknown;
}

/** The outputs, by what messages say if one was never written. */
const ELITE = "the elite was not written";
const CHECKPOINT = "no checkpoint was written";

/** A failed write is reported as a warning, and training continues. */
export class DirectorySink<K extends Kinds = Kinds> implements RunSink<K> {
  readonly #options: DirectorySinkOptions<K>;
  readonly #checkpoints: CheckpointDirectory<K>;
  readonly #rhythm: CheckpointRhythm;
  /** The last failure of each output; null once an attempt succeeded. */
  readonly #failures = new Map<string, LostOutput | null>();
  /** Generation of the last checkpoint. */
  #saved: number | null = null;

  constructor(options: DirectorySinkOptions<K>) {
    this.#options = options;
    const { state, plan, checkpoint_steps, checkpoint_path, environment, algorithm } = options;
    const base = withoutExtension(checkpoint_path ?? `${environment}-EvoHPO-${algorithm}`);
    this.#checkpoints = new CheckpointDirectory({ ...options, base });
    this.#rhythm = new CheckpointRhythm(state, {
      [plan.checkpoints_by === "generations" ? "every_generations" : "every_steps"]: checkpoint_steps ?? null,
    });
  }

  /** The requested outputs that were never written; `null` if there are none. */
  get lost(): LostOutput | null {
    const lost = [...this.#failures.values()].filter((failure) => failure !== null);
    const [first] = lost;
    if (!first) return null;
    const what = lost.map(({ message }) => message).join("; ");
    const message = `the run finished training but was not saved: ${what}; this error has its population and fitnesses, so save them elsewhere`;
    return { message, cause: first.cause };
  }

  async boundary(boundary: Boundary<K>): Promise<void> {
    const { save_elite } = this.#options;
    const { state, generation, fitness } = boundary;
    if (save_elite && state.elite) await this.#saveElite(state.elite, generation);
    if (this.#rhythm.due(state)) await this.#save(boundary, fitness);
  }

  async close(last: Boundary<K>, ending: Ending): Promise<void> {
    if ("error" in ending) return;
    const { save_elite, saveElite, checkpoint_at_end, state } = this.#options;
    const { delivered } = last;
    // A run resumed at its end trains no generation in which the elite would be saved.
    const isNew = saveElite || last.generation === state.generation || delivered !== last.state.elite;
    if (save_elite && delivered && isNew) await this.#saveElite(delivered, null);
    if (checkpoint_at_end && last.generation > state.generation) await this.#save(last, last.elite_fitness);
  }

  async #saveElite(elite: K["agent"], generation: number | null): Promise<void> {
    const { store, files, facts, elite_path, environment, algorithm, saveElite } = this.#options;
    const path = agentFileName(elite_path ?? `${environment}-elite_${algorithm}`);
    try {
      if (saveElite) await saveElite(elite, generation);
      else await store.write(path, files.encodeAgent(elite, facts));
      this.#failures.set(ELITE, null);
    } catch (error) {
      this.#failed(ELITE, path, error);
      this.#warn(`the elite was not saved to ${path}: ${reasonOf(error)}. Training continues.`);
    }
  }

  async #save(boundary: Boundary<K>, fitness: number | null): Promise<void> {
    const { generation, global_step, state } = boundary;
    if (this.#saved === generation) return;
    let dir: string;
    try {
      dir = await this.#checkpoints.save(boundary, fitness, this.#options.facts);
    } catch (error) {
      this.#failed(CHECKPOINT, this.#checkpoints.pathOf(boundary), error);
      this.#warn(
        `the checkpoint at step ${global_step} was not saved: ${reasonOf(error)}. Training continues; earlier checkpoints are kept.`,
      );
      return;
    }
    this.#saved = generation;
    this.#rhythm.wrote(state);
    this.#failures.set(CHECKPOINT, null);
    if (!this.#options.overwrite_checkpoints) return;
    try {
      await this.#checkpoints.keepOnly(dir);
    } catch (error) {
      this.#warn(`earlier checkpoints could not be deleted: ${reasonOf(error)}. Training continues.`);
    }
  }

  #failed(output: string, path: string, cause: unknown): void {
    if (this.#failures.get(output) === null) return;
    this.#failures.set(output, { message: `${output} to ${path}: ${reasonOf(cause)}`, cause });
  }

  #warn(message: string): void {
    this.#options.observer.on({ event: "warning", message });
  }
}
