/** Policies of a run's best members over time, one commit each. */
import {
  type CheckpointInfo,
  COMMIT_FILE,
  commitCheckpoint,
  listCheckpoints,
  readCheckpoint,
  removeCheckpoint,
} from "./checkpoint.ts";
import type { FileStore } from "./fileStore.ts";
import type { HeldRuns } from "./HeldRuns.ts";
import { joinPath } from "./paths.ts";
import { fameDirectory } from "./runLayout.ts";
import { StorageError } from "./storageError.ts";

/** Maximum number of policies that a run keeps. */
export const MAX_FAME = 200;
/** Number of policies kept when the maximum is exceeded, so that not every addition has to thin them out. */
const KEPT_FAME = 180;
const POLICY_FILE = "policy.safetensors";
const NAME = /^\d{6,}-(\d+)$/;

export interface FameMeta {
  readonly generation: number;
  readonly global_step: number;
  readonly fitness: number | null;
  /** Identity of the member. */
  readonly index: number;
}

export interface FameEntry extends FameMeta {
  readonly name: string;
  readonly bytes: number;
}

function entryOf({ name, commit }: CheckpointInfo): FameEntry {
  const { generation, global_step, fitness, files } = commit;
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return { name, generation, global_step, fitness, bytes, index: Number(NAME.exec(name)?.[1] ?? -1) };
}

/** Sorted by generation. */
async function listFame(files: FileStore, id: string): Promise<FameEntry[]> {
  const found = await listCheckpoints(files, fameDirectory(id), (name) => NAME.test(name));
  return found.map(entryOf).sort((a, b) => a.generation - b.generation);
}

/** The entry to remove: the one whose neighbours are closest to each other, never the first or the last. */
export function leastMissed(entries: readonly FameEntry[]): FameEntry | undefined {
  let [least, gap]: [FameEntry | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
  for (const [i, entry] of entries.entries()) {
    const [before, after] = [entries[i - 1], entries[i + 1]];
    if (!before || !after || after.generation - before.generation >= gap) continue;
    [least, gap] = [entry, after.generation - before.generation];
  }
  return least;
}

/** The halls of fame of runs. Methods that change one require the run's lock or acquire it. */
export class HallOfFame {
  readonly #files: FileStore;
  readonly #held: HeldRuns;

  constructor(files: FileStore, held: HeldRuns) {
    this.#files = files;
    this.#held = held;
  }

  /** Sorted by generation. */
  async list(id: string): Promise<readonly FameEntry[]> {
    return listFame(this.#files, id);
  }

  /** Adds a policy; an existing one of the same generation and member is kept. */
  async add(
    id: string,
    policy: Uint8Array,
    { generation, global_step, fitness, index }: FameMeta,
  ): Promise<void> {
    const files = this.#files;
    const parent = fameDirectory(id);
    const dir = joinPath(parent, `${String(generation).padStart(6, "0")}-${index}`);
    await this.#held.change(id, async () => {
      if (await files.exists(joinPath(dir, COMMIT_FILE))) return;
      const meta = { generation, global_step, fitness, spec_hash: "", sequence: generation };
      await commitCheckpoint(files, dir, new Map([[POLICY_FILE, policy]]), meta);
      if ((await files.list(parent)).length > MAX_FAME) await this.#thin(id);
    });
  }

  /** The policy of a generation. @throws StorageError `not_found` or `corrupt`. */
  async read(
    id: string,
    generation: number,
  ): Promise<{ readonly entry: FameEntry; readonly policy: Uint8Array; readonly path: string }> {
    const entry = (await this.list(id)).find((other) => other.generation === generation);
    const dir = joinPath(fameDirectory(id), entry?.name ?? String(generation));
    const policy = entry && (await readCheckpoint(this.#files, dir)).files.get(POLICY_FILE);
    if (entry && policy) return { entry, policy, path: joinPath(dir, POLICY_FILE) };
    throw new StorageError(
      "not_found",
      dir,
      "the hall of fame has nothing of this generation; choose another",
    );
  }

  /** Deletes the policies of all generations after `generation`, which will run again. */
  async cut(id: string, generation: number): Promise<void> {
    await this.#held.change(id, async () => {
      for (const entry of await this.list(id)) if (entry.generation > generation) await this.#drop(id, entry);
    });
  }

  async #thin(id: string): Promise<void> {
    let left = await this.list(id);
    while (left.length > KEPT_FAME) {
      const least = leastMissed(left);
      if (!least) return;
      await this.#drop(id, least);
      left = left.filter((entry) => entry !== least);
    }
  }

  async #drop(id: string, { name }: FameEntry): Promise<void> {
    await removeCheckpoint(this.#files, joinPath(fameDirectory(id), name));
  }
}
