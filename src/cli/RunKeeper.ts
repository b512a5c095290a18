/** Keeps what a run has reached: checkpoints as it goes, and one of its last generation boundary. */
import { commitCheckpoint, type FileStore, removeCheckpoint, unusedDirectory } from "../storage/index.ts";
import { reasonOf } from "../storage/storageError.ts";
import type { TrainingObserver } from "../tracking/index.ts";
import { encodeRun } from "../training/run/runCheckpoint.ts";
import { globalStep, type RunState } from "../training/run/runState.ts";

export interface RunKeeperOptions {
  readonly store: FileStore;
  /** Checkpoints are `<base>_<global_step>/`. */
  readonly base: string;
  readonly seed: number;
  /** The object form of the manifest. */
  readonly manifest: object;
  /** Milliseconds between checkpoints on the way; null for none. */
  readonly every: number | null;
  /** Told of checkpoints and of those that could not be written. */
  readonly observer: TrainingObserver;
}

export class RunKeeper {
  readonly #options: RunKeeperOptions;
  #saving: Promise<void> | null = null;
  #savedAt = performance.now();
  /** The last checkpoint on the way; the next one takes its place. */
  #onTheWay: string | null = null;

  constructor(options: RunKeeperOptions) {
    this.#options = options;
  }

  /** At a generation's end: saves in the background when it is time and no saving is under way. */
  offer(state: RunState): void {
    const { every, observer } = this.#options;
    if (every === null || this.#saving || performance.now() - this.#savedAt < every) return;
    const before = this.#onTheWay;
    this.#saving = this.#commit(state)
      .then((dir) => {
        this.#onTheWay = dir;
        return this.#drop(before);
      })
      .catch((error: unknown) => {
        const message = `the checkpoint at step ${globalStep(state)} was not saved: ${reasonOf(error)}. Training goes on; what was saved before is kept`;
        observer.on({ event: "warning", message });
      })
      .finally(() => {
        this.#savedAt = performance.now();
        this.#saving = null;
      });
  }

  /** Saves the boundary that the run ends with. @returns the checkpoint's directory. @throws StorageError. */
  async finish(state: RunState): Promise<string> {
    await this.#saving;
    const dir = await this.#commit(state);
    await this.#drop(this.#onTheWay);
    this.#onTheWay = null;
    return dir;
  }

  async #commit(state: RunState): Promise<string> {
    const { store, base, seed, manifest, observer } = this.#options;
    // The state's memory is written over as training goes on, so it becomes bytes before anything is awaited.
    const files = encodeRun({ state, seed, manifest });
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

  async #drop(dir: string | null): Promise<void> {
    // An old checkpoint that stays takes room and does no harm.
    if (dir !== null) await removeCheckpoint(this.#options.store, dir).catch(() => undefined);
  }
}
