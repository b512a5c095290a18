import type { Kinds } from "../loop/Workload.ts";
import type { CheckpointRhythm } from "./CheckpointRhythm.ts";
import type { Boundary } from "./RunSink.ts";

interface BackgroundSavesOptions<K extends Kinds = Kinds> {
  readonly rhythm: CheckpointRhythm;
  /** Saves a boundary. It encodes the state before it awaits anything, because training continues. */
  readonly save: (boundary: Boundary<K>) => Promise<void>;
  /** Called with the error of a save during training. */
  readonly onFailure: (error: unknown, boundary: Boundary<K>) => void;
  /** Generation that is already saved (default: `null`, none). */
  readonly saved?: number | null;
}

/** Saves boundaries while training continues, one at a time. */
export class BackgroundSaves<K extends Kinds = Kinds> {
  readonly #options: BackgroundSavesOptions<K>;
  #saving: Promise<void> | null = null;
  #saved: number | null;

  constructor(options: BackgroundSavesOptions<K>) {
    this.#options = options;
    this.#saved = options.saved ?? null;
  }

  /** Saves the boundary if one is due and none is being saved. */
  offer(boundary: Boundary<K>): void {
    if (!this.#saving && this.#options.rhythm.due(boundary.state)) this.start(boundary);
  }

  /** Starts to save the boundary, due or not. */
  start(boundary: Boundary<K>): void {
    const { rhythm, onFailure } = this.#options;
    rhythm.wrote(boundary.state);
    this.#saving = this.#save(boundary)
      .catch((error: unknown) => onFailure(error, boundary))
      .finally(() => {
        rhythm.tried();
        this.#saving = null;
      });
  }

  /** Saves the last boundary unless it is already saved. @throws the error of `save`. */
  async finish(boundary: Boundary<K>): Promise<void> {
    await this.#saving;
    if (this.#saved !== boundary.generation) await this.#save(boundary);
  }

  async #save(boundary: Boundary<K>): Promise<void> {
    await this.#options.save(boundary);
    this.#saved = boundary.generation;
  }
}
