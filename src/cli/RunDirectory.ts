/** The directory that `rlkit train` writes to: checkpoints while the run trains, its last boundary and its elite. */

import { EliteDirectory, eliteLimits } from "../storage/checkpoints.ts";
import { reasonOf } from "../storage/files.ts";
import { joinPath, removeCheckpoint } from "../storage/index.ts";
import type { EndReport, TrainingEvent } from "../tracking/index.ts";
import {
  BackgroundSaves,
  type Boundary,
  CheckpointDirectory,
  type CheckpointDirectoryOptions,
  CheckpointRhythm,
  ELITE_FILE,
  EliteFiles,
  type Ending,
  type Member,
  type RunSink,
} from "../training/loop.ts";

/** The observer receives the run's events, and those of the checkpoints. */
interface RunDirectoryOptions extends CheckpointDirectoryOptions {
  /** Directory of the elite. */
  readonly directory: string;
  /** Additional information for the elite's file. */
  readonly facts: object;
  /**
   * Milliseconds between periodic checkpoints, of which the first is sooner; null for those that the outputs
   * write instead.
   */
  readonly every: number | null;
  /** Called before anything of a failed run is saved. */
  readonly onFailed?: () => void;
}

/** Files that a run leaves in its directory; null for a file that could not be written or does not exist. */
export interface Kept {
  readonly checkpoint_path: string | null;
  readonly elite_path: string | null;
  /** The first write error at the run's end, or null. */
  readonly problem: unknown;
}

/** Milliseconds from the start until the first periodic checkpoint begins, so that it is written within 10 s. */
const FIRST_MS = 7_000;

/** Directory of the elites of all generations. */
export const ELITES = "elites";

/** A checkpoint directory and the generation saved in it. */
interface Saved {
  readonly dir: string;
  readonly generation: number;
}

export class RunDirectory implements RunSink {
  readonly #options: RunDirectoryOptions;
  readonly #checkpoints: CheckpointDirectory;
  readonly #saves: BackgroundSaves;
  readonly #elites: EliteFiles;
  /** The directory of elites, once it is open, after all that was given to it is written. */
  #keeping: Promise<EliteDirectory | null> | null = null;
  /**
   * Timer of the first checkpoint. It fires during a generation, because the next boundary may be far away.
   */
  #first: ReturnType<typeof setTimeout> | null = null;
  /** The most recent boundary; kept only until the first checkpoint. */
  #latest: Boundary | null = null;
  /** The last checkpoint of this class; the next one replaces it. */
  #saved: Saved | null = null;
  /** The last checkpoint that the outputs wrote because of the manifest's `checkpoint_steps`. */
  #stepped: { readonly path: string; readonly global_step: number } | null = null;
  #outputs: RunSink = {};
  /** The report of the run's end, which is shown after everything is saved. */
  end: EndReport | null = null;
  kept: Kept = { checkpoint_path: null, elite_path: null, problem: null };

  constructor(options: RunDirectoryOptions) {
    this.#options = options;
    this.#checkpoints = new CheckpointDirectory(options);
    this.#elites = new EliteFiles(options.files, options.facts, (message) => this.#warn(message));
    const { every } = options;
    const first_ms = Math.min(FIRST_MS, every ?? FIRST_MS);
    this.#saves = new BackgroundSaves({
      rhythm: new CheckpointRhythm({ members: [] }, { every_ms: every, first_ms }),
      save: (boundary) => this.#save(boundary),
      onFailure: (error, { global_step }) => {
        const message = `the checkpoint at step ${global_step} was not saved: ${reasonOf(error)}. Training continues; what was saved before is kept`;
        this.#warn(message);
      },
    });
    if (every === null) return;
    this.#first = setTimeout(() => {
      this.#first = null;
      if (this.#latest) this.#saves.start(this.#latest);
      this.#latest = null;
    }, first_ms);
    // The timer must not keep the process alive if the run never starts.
    this.#first.unref();
  }

  /** Also writes the outputs that the manifest's `checkpoint_steps` requests. */
  around(outputs: RunSink): this {
    this.#outputs = outputs;
    return this;
  }

  /** Receives the run's events, and those of its outputs. */
  hear(event: TrainingEvent): void {
    if (event.event === "end") {
      this.end = event;
      return;
    }
    if (event.event === "checkpoint") this.#stepped = event;
    this.#options.observer.on(event);
  }

  /** Keeps the elite of a generation in the background. */
  keepElite(policy: Member, boundary: Boundary): void {
    const elite = this.#elites.encode(policy, boundary);
    if (!elite) return;
    const { store, directory } = this.#options;
    this.#keeping ??= EliteDirectory.open(store, joinPath(directory, ELITES));
    this.#keeping = this.#keeping
      .then(async (elites) => {
        if ((await elites?.keep([elite], eliteLimits()))?.shed)
          this.#warn(
            "the disk is full, so the oldest elites of past generations were deleted. Training continues",
          );
        return elites;
      })
      .catch((error: unknown) => {
        this.#warn(
          `elites of past generations are not kept any more: ${reasonOf(error)}. Training continues`,
        );
        return null;
      });
  }

  async boundary(boundary: Boundary): Promise<void> {
    await this.#outputs.boundary?.(boundary);
    if (this.#first) this.#latest = boundary;
    this.#saves.offer(boundary);
  }

  async close(last: Boundary, ending: Ending): Promise<void> {
    this.#stopWaiting();
    if ("error" in ending) this.#options.onFailed?.();
    if ("error" in ending && last.generation === 0) return;
    await this.#keeping;
    const problems: unknown[] = [];
    const orNull = (error: unknown): null => {
      problems.push(error);
      return null;
    };
    // If one of them fails, the other is still tried.
    const checkpoint_path = await this.#finish(last).catch(orNull);
    const elite_path = last.delivered && (await this.#keepElite(last.delivered).catch(orNull));
    this.kept = { checkpoint_path, elite_path, problem: problems[0] ?? null };
  }

  #warn(message: string): void {
    this.#options.observer.on({ event: "warning", message });
  }

  #stopWaiting(): void {
    if (this.#first !== null) clearTimeout(this.#first);
    this.#first = null;
    this.#latest = null;
  }

  async #save(boundary: Boundary): Promise<void> {
    this.#stopWaiting();
    const before = this.#saved;
    const dir = await this.#checkpoints.save(boundary, boundary.elite_fitness);
    this.#saved = { dir, generation: boundary.generation };
    // An old checkpoint that cannot be removed takes up space but does no harm.
    if (before) await removeCheckpoint(this.#options.store, before.dir).catch(() => undefined);
  }

  /** Saves the last boundary, unless it is saved already. @returns the checkpoint's directory. @throws StorageError. */
  async #finish(last: Boundary): Promise<string | null> {
    if (this.#stepped?.global_step === last.global_step) return this.#stepped.path;
    await this.#saves.finish(last);
    return this.#saved?.dir ?? null;
  }

  async #keepElite(elite: Member): Promise<string> {
    const { store, directory, files, facts } = this.#options;
    const path = joinPath(directory, ELITE_FILE);
    await store.write(path, files.encodeAgent(elite, facts));
    return path;
  }
}
