/** Saves a run's progress: periodic checkpoints, and one of its last generation boundary. */

import { reasonOf } from "../storage/files.ts";
import { commitCheckpoint, type FileStore, removeCheckpoint, unusedDirectory } from "../storage/index.ts";
import type { TrainingObserver } from "../tracking/index.ts";
import { CheckpointRhythm, encodeRun, globalStep, type RunFiles, type RunState } from "../training/loop.ts";

export interface RunKeeperOptions {
  readonly store: FileStore;
  /** Encodes the files of checkpoints. */
  readonly files: RunFiles;
  /** Checkpoint directories are named `<base>_<global_step>/`. */
  readonly base: string;
  readonly seed: number;
  /** The object form of the manifest. */
  readonly manifest: object;
  /**
   * Milliseconds between periodic checkpoints, of which the first is sooner; null
   * for no periodic checkpoints.
   */
  readonly every: number | null;
  /** Receives an event for each checkpoint, and a warning for each one that could not be written. */
  readonly observer: TrainingObserver;
}

/** Milliseconds from the start until the first periodic checkpoint begins, so that it is written within 10 s. */
const FIRST_MS = 7_000;

/** A checkpoint directory and the generation saved in it. */
interface Saved {
  readonly dir: string;
  readonly generation: number;
}

export class RunKeeper {
  readonly #options: RunKeeperOptions;
  #saving: Promise<void> | null = null;
  readonly #rhythm: CheckpointRhythm;
  /**
   * Timer of the first checkpoint. It fires during a generation, because the next boundary may be far away.
   */
  #first: ReturnType<typeof setTimeout> | null = null;
  /** State at the most recent boundary; kept only until the first checkpoint. */
  #latest: RunState | null = null;
  /** The last periodic checkpoint; the next one replaces it. */
  #onTheWay: Saved | null = null;

  constructor(options: RunKeeperOptions) {
    this.#options = options;
    const { every } = options;
    const first_ms = Math.min(FIRST_MS, every ?? FIRST_MS);
    this.#rhythm = new CheckpointRhythm({ members: [] }, { every_ms: every, first_ms });
    if (every === null) return;
    this.#first = setTimeout(() => {
      this.#first = null;
      if (this.#latest) this.#save(this.#latest);
    }, first_ms);
    // The timer must not keep the process alive if the run never starts.
    this.#first.unref();
  }

  /**
   * Called at the end of each generation. Saves in the background if a checkpoint is due and
   * none is being saved.
   */
  offer(state: RunState): void {
    if (this.#options.every === null || this.#saving) return;
    if (this.#rhythm.due(state)) this.#save(state);
    else if (this.#first) this.#latest = state;
  }

  #save(state: RunState): void {
    const { observer } = this.#options;
    this.#stopWaiting();
    const before = this.#onTheWay;
    this.#saving = this.#commit(state)
      .then((dir) => {
        this.#onTheWay = { dir, generation: state.generation };
        return this.#drop(before);
      })
      .catch((error: unknown) => {
        const message = `the checkpoint at step ${globalStep(state)} was not saved: ${reasonOf(error)}. Training continues; what was saved before is kept`;
        observer.on({ event: "warning", message });
      })
      .finally(() => {
        this.#rhythm.tried();
        this.#saving = null;
      });
  }

  #stopWaiting(): void {
    if (this.#first !== null) clearTimeout(this.#first);
    this.#first = null;
    this.#latest = null;
  }

  /** Saves the final generation boundary. @returns the checkpoint's directory. @throws StorageError. */
  async finish(state: RunState): Promise<string> {
    this.#stopWaiting();
    await this.#saving;
    const before = this.#onTheWay;
    // The final boundary may already be saved as a periodic checkpoint.
    if (before?.generation === state.generation) return before.dir;
    const dir = await this.#commit(state);
    await this.#drop(before);
    this.#onTheWay = null;
    return dir;
  }

  async #commit(state: RunState): Promise<string> {
    const { store, base, seed, manifest, observer } = this.#options;
    // Training overwrites the state's memory, so the state is encoded before the first await.
    const files = encodeRun(this.#options.files, { state, seed, manifest });
    const global_step = globalStep(state);
    const dir = await unusedDirectory(store, `${base}_${global_step}`);
    const fitness = state.elite?.fitness.at(-1) ?? null;
    await commitCheckpoint(store, dir, files, {
      generation: state.generation,
      global_step,
      spec_hash: "",
      fitness,
    });
    observer.on({ event: "checkpoint", path: dir, global_step });
    return dir;
  }

  async #drop(saved: Saved | null): Promise<void> {
    // An old checkpoint that cannot be removed takes up space but does no harm.
    if (saved !== null) await removeCheckpoint(this.#options.store, saved.dir).catch(() => undefined);
  }
}
