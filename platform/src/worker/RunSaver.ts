/** Saves checkpoints of a run: first their files as artifacts, then the rows that refer to them. */
import type { TrainingManifest } from "../../../src/specs/index.ts";
import { reasonOf } from "../../../src/storage/files.ts";
import {
  CheckpointRhythm,
  encodeRun,
  globalStep,
  type RunState,
  type WorkloadDefinition,
} from "../../../src/training/loop.ts";
import type { ArtifactStore } from "../artifacts/ArtifactStore.ts";
import { patientStore } from "../artifacts/patientStore.ts";
import type { ClaimedRun } from "../runs/ClaimedRun.ts";
import type { Artifact } from "../runs/RunRow.ts";
import type { RunWriter } from "./RunWriter.ts";

export interface RunSaverOptions {
  readonly run: ClaimedRun;
  readonly artifacts: ArtifactStore;
  readonly writer: RunWriter;
  readonly definition: WorkloadDefinition;
  readonly manifest: TrainingManifest;
  /** The state that the run starts from, which needs no checkpoint. */
  readonly start: RunState;
  /** Milliseconds between checkpoints if the manifest sets no step interval; 0 means every generation. */
  readonly checkpoint_ms: number;
  /** Aborted when nothing more should be saved. */
  readonly signal: AbortSignal;
}

export class RunSaver {
  readonly #options: RunSaverOptions;
  readonly #artifacts: ArtifactStore;
  readonly #rhythm: CheckpointRhythm;
  #saving: Promise<void> | null = null;
  /** Generation of the last checkpoint. */
  #saved: number;

  constructor(options: RunSaverOptions) {
    this.#options = options;
    const { start, manifest, checkpoint_ms, artifacts, signal } = options;
    const onWait = (reason: string): void => this.#tell(`a checkpoint is waiting for disk space: ${reason}`);
    this.#artifacts = patientStore(artifacts, { onWait, signal });
    this.#saved = start.generation;
    const every_steps = manifest.training.checkpoint_steps;
    this.#rhythm = new CheckpointRhythm(
      start,
      every_steps === null ? { every_ms: checkpoint_ms } : { every_steps },
    );
  }

  /**
   * Called at each generation's end. Saves in the background if a checkpoint is due and none is being saved.
   */
  offer(state: RunState, fitness: number | null): void {
    if (this.#saving || !this.#rhythm.due(state)) return;
    this.#rhythm.wrote(state);
    this.#saving = this.#save(state, fitness)
      .catch((error: unknown) =>
        this.#tell(`a checkpoint was not saved: ${reasonOf(error)}. Training continues`),
      )
      .finally(() => {
        this.#saving = null;
      });
  }

  /** Saves the final state of the run. @throws StorageError if an artifact cannot be written. */
  async finish(state: RunState, fitness: number | null): Promise<void> {
    await this.#saving;
    if (this.#saved !== state.generation) await this.#save(state, fitness);
  }

  async #save(state: RunState, fitness: number | null): Promise<void> {
    const { run, writer, definition, manifest } = this.#options;
    // Training overwrites the state's memory, so it is encoded before anything is awaited.
    const encoded = encodeRun(definition.files, { state, seed: run.row.seed, manifest: run.row.manifest });
    const elite = state.elite && definition.files.encodeAgent(state.elite, definition.runs.facts(manifest));
    const { generation } = state;
    const global_step = globalStep(state);
    const files: Record<string, Artifact> = {};
    for (const [path, bytes] of encoded) files[path] = await this.#put(bytes);
    const kept = elite && (await this.#put(elite));
    writer.add(async () => {
      await run.checkpoint({ generation, global_step, fitness, files });
      if (kept) await run.elite(kept);
    });
    this.#saved = generation;
  }

  async #put(bytes: Uint8Array): Promise<Artifact> {
    return { sha256: await this.#artifacts.put(bytes), size: bytes.byteLength };
  }

  #tell(message: string): void {
    const { run, writer } = this.#options;
    writer.add(() => run.warn(message));
  }
}
