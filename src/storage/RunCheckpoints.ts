import {
  bestCheckpoint,
  type CheckpointInfo,
  commitCheckpoint,
  listCheckpoints,
  pruneCheckpoints,
  readCheckpoint,
  removeCheckpoint,
} from "./checkpoint.ts";
import type { CheckpointMeta, CommitRecord } from "./commitRecord.ts";
import { estimateFits, type FileStore } from "./fileStore.ts";
import type { HeldRuns } from "./HeldRuns.ts";
import { joinPath, randomNonce } from "./paths.ts";
import { checkpointDirectory } from "./runLayout.ts";
import { checkpointOf, type RunPatch, type RunRecord } from "./runRecord.ts";
import { ignoreStorageError } from "./runRecovery.ts";
import { isStorageError, StorageError, storageFull } from "./storageError.ts";
import { readPolicy } from "./storagePolicy.ts";

/** A complete, verified checkpoint. */
export interface LoadedCheckpoint {
  readonly name: string;
  readonly dir: string;
  readonly commit: CommitRecord;
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Problems of newer checkpoints, as messages. */
  readonly skipped: readonly string[];
}

/** What the checkpoints need from the run store. */
interface CheckpointParts {
  readonly files: FileStore;
  readonly held: HeldRuns;
  readonly record: (id: string) => Promise<RunRecord>;
  readonly put: (record: RunRecord) => Promise<void>;
  readonly patch: (id: string, patch: RunPatch) => Promise<RunRecord>;
}

/** The checkpoints of runs. Methods that change them require the run's lock or acquire it. */
export class RunCheckpoints {
  readonly #parts: CheckpointParts;

  constructor(parts: CheckpointParts) {
    this.#parts = parts;
  }

  /** As `RunStore.saveCheckpoint`. */
  async save(
    id: string,
    files: ReadonlyMap<string, Uint8Array>,
    meta: Omit<CheckpointMeta, "sequence">,
  ): Promise<CheckpointInfo> {
    const { held, files: store, record, put } = this.#parts;
    return held.change(id, async () => {
      const parent = checkpointDirectory(id);
      const bytes = [...files.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
      if (!(await estimateFits(store, bytes)).fits) throw storageFull(parent, bytes);

      const before = await listCheckpoints(store, parent);
      const sequence = (before.at(-1)?.commit.sequence ?? 0) + 1;
      const name = `${String(sequence).padStart(6, "0")}-${randomNonce()}`;
      const dir = joinPath(parent, name);
      const commit = await commitCheckpoint(store, dir, files, { ...meta, sequence });
      const saved = { name, dir, commit };
      const row = await record(id);
      // The new checkpoint is safe; old ones that cannot be deleted now are deleted after the next save.
      await this.#prune(parent, [...before, saved], row.pinned).catch(ignoreStorageError);
      await put({ ...row, checkpoint: checkpointOf([saved]) });
      return saved;
    });
  }

  /** The committed checkpoints, oldest first. */
  async list(id: string): Promise<CheckpointInfo[]> {
    return listCheckpoints(this.#parts.files, checkpointDirectory(id));
  }

  /** The newest checkpoint with intact files; null if there is none. */
  async latest(id: string): Promise<LoadedCheckpoint | null> {
    const skipped: string[] = [];
    for (const { name } of (await this.list(id)).reverse()) {
      try {
        return { ...(await this.read(id, name)), skipped };
      } catch (error) {
        if (!isStorageError(error, "corrupt") && !isStorageError(error, "not_found")) throw error;
        skipped.push(error.message);
      }
    }
    return null;
  }

  /** A checkpoint by name, with verified files: all of them, or those that `only` selects. */
  async read(id: string, name: string, only?: (path: string) => boolean): Promise<LoadedCheckpoint> {
    const dir = joinPath(checkpointDirectory(id), name);
    return { name, dir, skipped: [], ...(await readCheckpoint(this.#parts.files, dir, only)) };
  }

  /**
   * Pins a checkpoint, or unpins it so that the policy may delete it. Throws `not_found` for an unknown name.
   */
  async pin(id: string, name: string, on: boolean): Promise<RunRecord> {
    const { held, record, patch } = this.#parts;
    return held.change(id, async () => {
      await this.#require(id, name);
      const others = ((await record(id)).pinned ?? []).filter((other) => other !== name);
      return patch(id, { pinned: on ? [...others, name] : others });
    });
  }

  /** Deletes a checkpoint. Throws `not_found`; `io` for the newest, from which the run resumes. */
  async delete(id: string, name: string): Promise<void> {
    const { held, files, record, patch } = this.#parts;
    return held.change(id, async () => {
      const { dir } = await this.#require(id, name);
      if ((await this.list(id)).at(-1)?.name === name)
        throw new StorageError(
          "io",
          dir,
          "is the newest checkpoint, from which the run resumes; it cannot be deleted",
        );
      await removeCheckpoint(files, dir);
      const { pinned = [] } = await record(id);
      if (pinned.includes(name)) await patch(id, { pinned: pinned.filter((other) => other !== name) });
    });
  }

  /** Deletes the checkpoints that the policy does not keep. */
  async #prune(
    parent: string,
    checkpoints: readonly CheckpointInfo[],
    pinned: readonly string[] = [],
  ): Promise<void> {
    const { files } = this.#parts;
    const { keep_last, keep_best } = await readPolicy(files);
    const best = keep_best ? bestCheckpoint(checkpoints) : undefined;
    const keep = [...pinned, ...(best ? [best.name] : [])];
    await pruneCheckpoints(files, parent, { keepLast: keep_last, keep });
  }

  async #require(id: string, name: string): Promise<CheckpointInfo> {
    const found = (await this.list(id)).find((checkpoint) => checkpoint.name === name);
    if (found) return found;
    throw new StorageError("not_found", joinPath(checkpointDirectory(id), name), "is gone; choose another");
  }
}
