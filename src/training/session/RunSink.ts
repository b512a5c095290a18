/** The interface between a session and what it writes to: nothing, a directory, a browser's run store, a database. */

import type { EndReport, TrainingEvent } from "../../tracking/observer.ts";
import { encodeRun, type SavedRun } from "../loop/runFiles.ts";
import { bestOf } from "../loop/TrainingRun.ts";
import { globalStep, type Kinds, type RunState } from "../loop/Workload.ts";
import type { RunFiles } from "../loop/WorkloadDefinition.ts";

/** The best of a generation's fitnesses; null if none is finite. */
export function bestFitness(fitnesses: readonly number[]): number | null {
  const best = fitnesses[bestOf(fitnesses)];
  return best !== undefined && Number.isFinite(best) ? best : null;
}

/** A run at the end of a generation, as far as sinks save it. */
export class Boundary<K extends Kinds = Kinds> {
  readonly state: RunState<K>;
  /** Best fitness of the generation's evaluations; null if none is finite. */
  readonly fitness: number | null;

  /** The member that the run delivers: the elite, or at the end of a run with final evaluations its champion. */
  readonly delivered: K["agent"] | null;

  constructor(state: RunState<K>, fitness: number | null, delivered = state.elite) {
    this.state = state;
    this.fitness = fitness;
    this.delivered = delivered;
  }

  get generation(): number {
    return this.state.generation;
  }

  get global_step(): number {
    return globalStep(this.state);
  }

  /** Last fitness of the best member, which may be older than the generation; null if it has none. */
  get elite_fitness(): number | null {
    return this.state.elite?.fitness.at(-1) ?? null;
  }

  /**
   * Encodes the files of a checkpoint. Training continues in the memory of the state, so call this before
   * anything is awaited.
   * @param facts Additional information for members' files.
   */
  encode(
    files: RunFiles<K>,
    { seed, manifest }: Pick<SavedRun, "seed" | "manifest">,
    facts: object = {},
  ): Map<string, Uint8Array> {
    return encodeRun(files, { state: this.state, seed, manifest }, facts);
  }
}

/** How training ended: with a report, or with the error that it failed with. */
export type Ending = { readonly end: EndReport } | { readonly error: unknown };

/**
 * Writes what a run produces. A sink decides when it saves a boundary, in which order it writes, and what a
 * failed write means for the run. It throws only to end the run.
 */
export interface RunSink<K extends Kinds = Kinds> {
  /** Whether reports have single training episodes (default: only their means). */
  readonly tells_episodes?: true;
  /** Receives every event of the run, in order. */
  on?(event: TrainingEvent): void;
  /** Receives the elite of each generation, reduced to its policy, with the boundary that it is from. */
  keepElite?(policy: K["agent"], boundary: Boundary<K>): void;
  /** Called at the end of each generation. The next one starts when the promise resolves. */
  boundary?(boundary: Boundary<K>): Promise<void> | void;
  /**
   * Called once, when training has ended or failed and its executor is closed. Saves what is not saved yet.
   * @param last The last boundary; that of the start if no generation was completed.
   */
  close?(last: Boundary<K>, ending: Ending): Promise<void>;
}
