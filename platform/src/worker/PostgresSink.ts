/** Writes a claimed run to the database: events in order, and checkpoints, whose files become artifacts first. */
import {
  BackgroundSaves,
  type Boundary,
  bestFitness,
  CheckpointRhythm,
  type Ending,
  type RunSink,
  reasonOf,
} from "../../../src/hosting/index.ts";
import type { TrainingEvent } from "../../../src/tracking/index.ts";
import { type ArtifactStore, patientStore } from "../artifacts/ArtifactStore.ts";
import type { ClaimedRun } from "../runs/ClaimedRun.ts";
import type { Artifact, RunStatus } from "../runs/RunRow.ts";
import { LostRunError } from "../runs/runEvents.ts";
import type { StartingPoint } from "./startingState.ts";

/** Performs the writes of a run in order, in the background. After a failed write, none is made. */
export class RunWriter {
  readonly #onFailure: (error: unknown) => void;
  #last: Promise<void> = Promise.resolve();
  #failed = false;
  #failure: unknown = null;
  /** Pending write that a later one may replace. */
  #latest: (() => Promise<void>) | null = null;

  /** @param onFailure Called with the error of the first write that fails. */
  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  add(write: () => Promise<void>): void {
    this.#last = this.#last.then(async () => {
      if (this.#failed) return;
      try {
        await write();
      } catch (error) {
        this.#failed = true;
        this.#failure = error;
        this.#onFailure(error);
      }
    });
  }

  /** Adds a write that replaces the previous one if that has not started. */
  replace(write: () => Promise<void>): void {
    const waits = this.#latest !== null;
    this.#latest = write;
    if (waits) return;
    this.add(async () => {
      const newest = this.#latest;
      this.#latest = null;
      await newest?.();
    });
  }

  /** Resolves when all added writes are done. @throws the error of the first write that failed. */
  async flush(): Promise<void> {
    await this.#last;
    if (this.#failed) throw this.#failure;
  }
}

interface PostgresSinkOptions {
  readonly run: ClaimedRun;
  readonly artifacts: ArtifactStore;
  /** Its state needs no checkpoint. */
  readonly start: StartingPoint;
  /** Milliseconds between checkpoints if the manifest sets no step interval; 0 means every generation. */
  readonly checkpoint_ms: number;
  /** Called when nothing more can be written. */
  readonly onFailure: () => void;
}

export class PostgresSink implements RunSink {
  readonly tells_episodes = true;
  readonly #options: PostgresSinkOptions;
  readonly #writer: RunWriter;
  readonly #artifacts: ArtifactStore;
  readonly #saves: BackgroundSaves;
  /** Aborted when nothing more should be saved. */
  readonly #ending = new AbortController();
  #releasing = false;
  /** Whether the run was returned to the queue. */
  isReleased = false;

  constructor(options: PostgresSinkOptions) {
    this.#options = options;
    const { artifacts, checkpoint_ms, start, onFailure } = options;
    this.#writer = new RunWriter((error) => {
      if (error instanceof LostRunError) this.#ending.abort();
      onFailure();
    });
    const onWait = (reason: string): void => this.warn(`a checkpoint is waiting for disk space: ${reason}`);
    this.#artifacts = patientStore(artifacts, { onWait, signal: this.#ending.signal });
    const every_steps = start.manifest.training.checkpoint_steps;
    this.#saves = new BackgroundSaves({
      rhythm: new CheckpointRhythm(
        start.state,
        every_steps === null ? { every_ms: checkpoint_ms } : { every_steps },
      ),
      save: (boundary) => this.#save(boundary),
      onFailure: (error) => this.warn(`a checkpoint was not saved: ${reasonOf(error)}. Training continues`),
      saved: start.state.generation,
    });
  }

  /** At its end the run returns to the queue, and saves wait no longer for disk space. */
  release(): void {
    this.#releasing = true;
    this.#ending.abort();
  }

  warn(message: string): void {
    this.#writer.add(() => this.#options.run.warn(message));
  }

  state(state: RunStatus): void {
    this.#writer.add(() => this.#options.run.state(state));
  }

  /** Ends all writing with the error. */
  fail(error: unknown): void {
    this.#writer.add(() => Promise.reject(error));
  }

  on(event: TrainingEvent): void {
    const { run } = this.#options;
    switch (event.event) {
      case "generation": {
        const { generation, global_step, fitnesses } = event;
        const position = { generation, global_step, best_fitness: bestFitness(fitnesses) };
        this.#writer.add(() => run.generation(event, position));
        return;
      }
      case "progress":
        this.#writer.replace(() => run.progress(event));
        return;
      case "warning":
        this.warn(event.message);
        return;
      case "champion":
      case "checkpoint":
      case "completions":
      case "download":
      case "end":
    }
  }

  boundary(boundary: Boundary): void {
    this.#saves.offer(boundary);
  }

  /** @throws LostRunError if another worker has the run; StorageError if an artifact cannot be written. */
  async close(last: Boundary, ending: Ending): Promise<void> {
    const { run } = this.#options;
    const failed = (error: unknown): Promise<void> =>
      run.end("failed", `Generation ${last.generation + 1} failed: ${reasonOf(error)}`);
    try {
      await this.#writer.flush();
    } catch (error) {
      if (error instanceof LostRunError) throw error;
      return failed(error);
    }
    if ("error" in ending) return failed(ending.error);
    if (last.generation > 0) await this.#saves.finish(last);
    await this.#writer.flush();
    if (this.#releasing) {
      await run.release();
      this.isReleased = true;
      return;
    }
    await this.#deliver(last);
    const { reason } = ending.end;
    await run.end(reason === "stopped" ? "stopped" : "finished", reason);
  }

  /** Saves the member that the run delivers, if it is not the elite of its last checkpoint. */
  async #deliver({ delivered, state }: Boundary): Promise<void> {
    if (!delivered || delivered === state.elite) return;
    const { run, start } = this.#options;
    const { files, runs } = start.definition;
    await run.elite(await this.#put(files.encodeAgent(delivered, runs.facts(start.manifest))));
  }

  async #save(boundary: Boundary): Promise<void> {
    const { run, start } = this.#options;
    const { files: format, runs } = start.definition;
    const { state, generation, global_step, fitness } = boundary;
    const encoded = boundary.encode(format, run.row);
    const elite = state.elite && format.encodeAgent(state.elite, runs.facts(start.manifest));
    const files: Record<string, Artifact> = {};
    for (const [path, bytes] of encoded) files[path] = await this.#put(bytes);
    const kept = elite && (await this.#put(elite));
    this.#writer.add(async () => {
      await run.checkpoint({ generation, global_step, fitness, files });
      if (kept) await run.elite(kept);
    });
  }

  async #put(bytes: Uint8Array): Promise<Artifact> {
    return { sha256: await this.#artifacts.put(bytes), size: bytes.byteLength };
  }
}
