/** A training run with its outputs: checkpoints, the elite's file, and progress on the console. */
import type { Mutations, SelectionStrategy } from "../../evolution/index.ts";
import { baseName, reasonOf } from "../../storage/files.ts";
import {
  commitCheckpoint,
  type FileStore,
  parentPath,
  pruneCheckpoints,
  unusedDirectory,
} from "../../storage/index.ts";
import { consoleObserver, type Trackers } from "../../tracking/clients.ts";
import type { RowShape } from "../../tracking/history.ts";
import { agentFileName } from "./agentFileName.ts";
import { CheckpointRhythm } from "./CheckpointRhythm.ts";
import { defaultStore } from "./defaultStore.ts";
import type { Executor } from "./executor.ts";
import { type LostOutput, lostOutput, OutputLog } from "./OutputLog.ts";
import { type EndReport, type GenerationReport, observers, type TrainingObserver } from "./observer.ts";
import { rowShapeOf } from "./rowShapeOf.ts";
import { encodeRun } from "./runFiles.ts";
import { globalStep, type RunState } from "./runState.ts";
import { bestOf, type LoopPlan, TrainingRun, totalSteps } from "./TrainingRun.ts";
import type { Kinds, Workload } from "./Workload.ts";
import type { RunFiles } from "./WorkloadDefinition.ts";
import { logLastWords, warn, warnOnce } from "./warn.ts";

export interface OutputOptions {
  readonly verbose: boolean;
  readonly save_elite: boolean;
  readonly elite_path: string | null;
  /** Steps of each member between checkpoints. */
  readonly checkpoint_steps: number | null;
  readonly checkpoint_path: string | null;
  readonly overwrite_checkpoints: boolean;
}

export interface TrainingParts<K extends Kinds = Kinds> extends OutputOptions {
  readonly state: RunState<K>;
  readonly plan: LoopPlan;
  readonly workload: Workload<K>;
  /** How checkpoints and members' files are written. */
  readonly files: RunFiles<K>;
  /** Stored in checkpoints. */
  readonly seed: number;
  /** Name of the environment, for file names. */
  readonly environment: string;
  readonly algorithm: string;
  /** Notices become the run's warnings. */
  readonly makeExecutor: (onNotice: (message: string) => void) => Executor<K>;
  readonly selection: SelectionStrategy | null;
  readonly mutation: Mutations | null;
  /**
   * Hyperparameters to show on the console and report to trackers (default: the console shows all of them).
   */
  readonly hyperparameters?: readonly string[];
  /** Ids of each member's agents, if it has several, for trackers (default: none). */
  readonly agents?: readonly string[];
  /** Makes the run's trackers (default: none). */
  readonly trackers?: MakeTrackers | undefined;
  /** Additional information for members' files. */
  readonly facts: object;
  /** Emitted before training starts. */
  readonly warnings?: readonly string[];
  /** Stored in checkpoints: the object form of a manifest, or null. */
  readonly manifest: unknown;
  readonly observer?: TrainingObserver | undefined;
  readonly store?: FileStore | undefined;
  /** Called with the run before it starts, to pause or stop it. */
  readonly onRun?: ((run: TrainingRun<K>) => void) | undefined;
  /** Replaces the workload's file of the elite: called after each generation, and with `null` at the end. */
  readonly saveElite?: (elite: K["agent"], generation: number | null) => Promise<void>;
  /** Whether to write a checkpoint of the final state. */
  readonly checkpoint_at_end?: boolean;
  /** Called with the final state when the run ends, also after an error. */
  readonly onEnd?: (state: RunState<K>) => void;
}

/** Makes the trackers of a run. */
export type MakeTrackers = (context: {
  readonly store: FileStore;
  readonly shape: RowShape;
  readonly warn: (message: string) => void;
}) => Promise<Trackers>;

/** Checkpoints are directories, so their names have no file extension. */
export const withoutExtension = (path: string): string => path.replace(/\.(safetensors|pt)$/, "");

/** Path of the elite's file. */
function elitePath({
  elite_path,
  environment,
  algorithm,
}: Pick<TrainingParts, "elite_path" | "environment" | "algorithm">): string {
  return agentFileName(elite_path ?? `${environment}-elite_${algorithm}`);
}

/** Base name of checkpoint directories. */
function checkpointBase({
  checkpoint_path,
  environment,
  algorithm,
}: Pick<TrainingParts, "checkpoint_path" | "environment" | "algorithm">): string {
  return withoutExtension(checkpoint_path ?? `${environment}-EvoHPO-${algorithm}`);
}

/** Whether a directory's name is the base name followed by a step. */
export const isCheckpointOf = (base: string, name: string): boolean =>
  name.startsWith(`${base}_`) && /^\d+(-\d+)?$/.test(name.slice(base.length + 1));

/** @throws RangeError when the selection does not fit the population. */
function requireFitting<K extends Kinds>({ state, selection }: TrainingParts<K>): void {
  const { members } = state;
  const size = selection?.population_size;
  if (size === undefined || size === members.length) return;
  throw new RangeError(
    `selection_strategy.population_size: found ${size}, allowed ${members.length} (the population's size)`,
  );
}

export interface TrainingOutcome<K extends Kinds = Kinds> {
  readonly state: RunState<K>;
  readonly end: EndReport;
  /** Requested outputs that were never written; `null` for none. */
  readonly lost: LostOutput | null;
}

/** Without observers, warnings are logged to the console. */
const CONSOLE_WARNINGS: TrainingObserver = {
  on: (event) => {
    if (event.event === "warning") warn(event.message);
  },
};

/**
 * Trains until the run ends and returns the final state. A failed write is reported as a warning, and
 * training continues.
 * @throws RangeError when selection does not fit the population; also any error of `TrainingRun.train`.
 */
export async function trainWithOutputs<K extends Kinds>(
  parts: TrainingParts<K>,
): Promise<TrainingOutcome<K>> {
  const { state, plan, selection, mutation, workload } = parts;
  requireFitting(parts);
  const writes = [parts.save_elite, parts.checkpoint_steps !== null, parts.checkpoint_at_end, parts.trackers];
  const needsStore = writes.some(Boolean);
  const store = parts.store ?? (needsStore ? await defaultStore() : null);
  const watching = [
    ...(parts.verbose ? [consoleObserver(consoleOptions(parts))] : []),
    ...(parts.observer ? [parts.observer] : []),
  ];
  const seen = watching.length > 0 ? observers(...watching) : CONSOLE_WARNINGS;
  const trackers =
    store &&
    (await parts.trackers?.({
      store,
      shape: rowShapeOf(state.members, parts),
      warn: (message) => notify(message),
    }));
  const observer = trackers ? observers(seen, trackers) : seen;
  await trackers?.open();
  function notify(message: string): void {
    seen.on({ event: "warning", message });
  }
  // Warnings known before the start are the same in every run of a program, so the console shows them once.
  const say = watching.length > 0 ? notify : warnOnce;
  for (const message of parts.warnings ?? []) say(message);
  const executor = parts.makeExecutor(notify);
  const elites = new OutputLog("the elite was not written");
  const checkpoints =
    store && (parts.checkpoint_steps !== null || parts.checkpoint_at_end)
      ? new Checkpoints(parts, store, observer, parts.checkpoint_steps)
      : null;
  const run = new TrainingRun(state, {
    plan,
    executor,
    observer,
    selection,
    mutation,
    workload,
    ...(checkpoints
      ? { atBoundary: (now: RunState<K>, report: GenerationReport) => checkpoints.atBoundary(now, report) }
      : {}),
    ...(store && parts.save_elite
      ? {
          atElite: (elite: K["agent"], generation: number) =>
            saveElite(parts, store, observer, elites, { elite, generation }),
        }
      : {}),
  });
  parts.onRun?.(run);
  let ok = false;
  try {
    const end = await run.train();
    ok = true;
    const { elite, generation } = run.state;
    // A run resumed at its end trains no generation in which the elite would be saved.
    if (store && parts.save_elite && elite && (parts.saveElite || generation === state.generation))
      await saveElite(parts, store, observer, elites, { elite, generation: null });
    if (parts.checkpoint_at_end && generation > state.generation)
      await checkpoints?.save(run.state, fitnessOfElite(end.fitnesses));
    return { state: run.state, end, lost: lostOutput([elites, ...(checkpoints ? [checkpoints.log] : [])]) };
  } catch (error) {
    for (const event of workload.lastWords?.() ?? []) {
      observer.on(event);
      logLastWords(event);
    }
    throw error;
  } finally {
    parts.onEnd?.(run.state);
    try {
      await executor.close();
    } finally {
      await trackers?.close({ ok });
    }
  }
}

const consoleOptions = <K extends Kinds>({ plan, state, hyperparameters }: TrainingParts<K>) => ({
  total_steps: totalSteps(plan, state.members.length),
  ...(hyperparameters ? { hyperparameters } : {}),
});

/** The best fitness; NaN if none is known. */
const fitnessOfElite = (fitnesses: readonly number[]): number => fitnesses[bestOf(fitnesses)] ?? Number.NaN;

/** Writes the elite's file; a failure is reported as a warning and does not end the run. */
async function saveElite<K extends Kinds>(
  parts: TrainingParts<K>,
  store: FileStore,
  observer: TrainingObserver,
  log: OutputLog,
  { elite, generation }: { readonly elite: K["agent"]; readonly generation: number | null },
): Promise<void> {
  const path = elitePath(parts);
  try {
    if (parts.saveElite) await parts.saveElite(elite, generation);
    else await store.write(path, parts.files.encodeAgent(elite, parts.facts));
    log.wrote();
  } catch (error) {
    log.failed(path, error);
    observer.on({
      event: "warning",
      message: `the elite was not saved to ${path}: ${reasonOf(error)}. Training continues.`,
    });
  }
}

class Checkpoints<K extends Kinds> {
  readonly log = new OutputLog("no checkpoint was written");
  readonly #parts: TrainingParts<K>;
  readonly #store: FileStore;
  readonly #observer: TrainingObserver;
  readonly #rhythm: CheckpointRhythm;
  /** Generation of the last checkpoint. */
  #saved: number | null = null;

  constructor(parts: TrainingParts<K>, store: FileStore, observer: TrainingObserver, every: number | null) {
    this.#parts = parts;
    this.#store = store;
    this.#observer = observer;
    this.#rhythm = new CheckpointRhythm(parts.state, {
      [parts.plan.checkpoints_by === "generations" ? "every_generations" : "every_steps"]: every,
    });
  }

  /** Writes a checkpoint if one is due; a failure is reported as a warning and does not end the run. */
  async atBoundary(state: RunState<K>, { fitnesses, elite }: GenerationReport): Promise<void> {
    if (this.#rhythm.due(state)) await this.save(state, fitnesses[elite] ?? Number.NaN);
  }

  /** @param fitness Fitness of the best member. */
  async save(state: RunState<K>, fitness: number): Promise<void> {
    if (this.#saved === state.generation) return;
    const { seed, manifest, overwrite_checkpoints } = this.#parts;
    const global_step = globalStep(state);
    const base = checkpointBase(this.#parts);
    let dir = `${base}_${global_step}`;
    try {
      dir = await unusedDirectory(this.#store, dir);
      const files = encodeRun(this.#parts.files, { state, seed, manifest }, this.#parts.facts);
      await commitCheckpoint(this.#store, dir, files, {
        generation: state.generation,
        global_step,
        spec_hash: "",
        ...(Number.isFinite(fitness) ? { fitness } : {}),
      });
    } catch (error) {
      this.log.failed(dir, error);
      this.#warn(
        `the checkpoint at step ${global_step} was not saved: ${reasonOf(error)}. Training continues; earlier checkpoints are kept.`,
      );
      return;
    }
    this.#saved = state.generation;
    this.#rhythm.wrote(state);
    this.log.wrote();
    this.#observer.on({ event: "checkpoint", path: dir, global_step });
    if (overwrite_checkpoints) await this.#dropOlder(base, dir);
  }

  /** Deletes the checkpoints with this base name, except the one just written. */
  async #dropOlder(base: string, dir: string): Promise<void> {
    const name = baseName(base);
    try {
      await pruneCheckpoints(this.#store, parentPath(dir), {
        keepLast: 1,
        keep: [baseName(dir)],
        owns: (directory) => isCheckpointOf(name, directory),
      });
    } catch (error) {
      this.#warn(`earlier checkpoints could not be deleted: ${reasonOf(error)}. Training continues.`);
    }
  }

  #warn(message: string): void {
    this.#observer.on({ event: "warning", message });
  }
}
