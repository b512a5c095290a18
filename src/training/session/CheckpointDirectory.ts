import { baseName } from "../../storage/files.ts";
import {
  commitCheckpoint,
  type FileStore,
  parentPath,
  pruneCheckpoints,
  unusedDirectory,
} from "../../storage/index.ts";
import type { TrainingObserver } from "../../tracking/observer.ts";
import type { Kinds } from "../loop/Workload.ts";
import type { RunFiles } from "../loop/WorkloadDefinition.ts";
import type { Boundary } from "./RunSink.ts";

export interface CheckpointDirectoryOptions<K extends Kinds = Kinds> {
  readonly store: FileStore;
  /** Encodes the files of checkpoints. */
  readonly files: RunFiles<K>;
  /** Checkpoint directories are named `<base>_<global_step>/`. */
  readonly base: string;
  readonly seed: number;
  /** The object form of the manifest, or what is known instead. */
  readonly manifest: unknown;
  /** Receives an event for each checkpoint. */
  readonly observer: TrainingObserver;
}

/** Checkpoints are directories, so their names have no file extension. */
export const withoutExtension = (path: string): string => path.replace(/\.(safetensors|pt)$/, "");

/** Whether a directory's name is the base name followed by a step. */
export const isCheckpointOf = (base: string, name: string): boolean =>
  name.startsWith(`${base}_`) && /^\d+(-\d+)?$/.test(name.slice(base.length + 1));

/** Saves boundaries of a run as checkpoint directories beside each other. */
export class CheckpointDirectory<K extends Kinds = Kinds> {
  readonly #options: CheckpointDirectoryOptions<K>;

  constructor(options: CheckpointDirectoryOptions<K>) {
    this.#options = options;
  }

  /** Name of a boundary's directory, if no other has it. */
  pathOf({ global_step }: Pick<Boundary, "global_step">): string {
    return `${this.#options.base}_${global_step}`;
  }

  /**
   * Saves a boundary, which is encoded before anything is awaited.
   * @param fitness Stored with the checkpoint.
   * @param facts Additional information for members' files.
   * @returns the checkpoint's directory.
   * @throws StorageError.
   */
  async save(boundary: Boundary<K>, fitness: number | null, facts: object = {}): Promise<string> {
    const { store, files, observer } = this.#options;
    const { generation, global_step } = boundary;
    const encoded = boundary.encode(files, this.#options, facts);
    const dir = await unusedDirectory(store, this.pathOf(boundary));
    await commitCheckpoint(store, dir, encoded, { generation, global_step, spec_hash: "", fitness });
    observer.on({ event: "checkpoint", path: dir, global_step });
    return dir;
  }

  /** Deletes the run's checkpoints except `dir`. @throws StorageError. */
  async keepOnly(dir: string): Promise<void> {
    const { store, base } = this.#options;
    const name = baseName(base);
    await pruneCheckpoints(store, parentPath(dir), {
      keepLast: 1,
      keep: [baseName(dir)],
      owns: (directory) => isCheckpointOf(name, directory),
    });
  }
}
