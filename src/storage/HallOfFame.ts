/**
 * The policies of a run's generations, as far as there is room: of the elites, or of whole populations. Earlier versions
 * stored some elites in `fame/`, one commit each, which are read too.
 */
import { type CheckpointInfo, listCheckpoints, readCheckpoint, removeCheckpoint } from "./checkpoint.ts";
import { EliteDirectory, type Kept } from "./EliteDirectory.ts";
import type { FameEntry, NewElite } from "./elites.ts";
import { eliteBytes, eliteLimits } from "./eliteThinning.ts";
import type { FileStore } from "./fileStore.ts";
import type { HeldRuns } from "./HeldRuns.ts";
import { joinPath } from "./paths.ts";
import { eliteDirectory, fameDirectory, populationDirectory } from "./runLayout.ts";
import { isStorageError, StorageError } from "./storageError.ts";
import { readPolicy, type StoragePolicy } from "./storagePolicy.ts";

const POLICY_FILE = "policy.safetensors";
const OLD_NAME = /^\d{6,}-(\d+)$/;

/** Which policies are kept of each generation. */
interface KeptKind {
  readonly directory: (id: string) => string;
  /** Directory of earlier versions; null for none. */
  readonly old: ((id: string) => string) | null;
  /** Most bytes of a run. */
  readonly bytes: (policy: StoragePolicy) => number;
}

export const ELITES: KeptKind = {
  directory: eliteDirectory,
  old: fameDirectory,
  bytes: ({ elite_bytes }) => elite_bytes,
};

/** The policies of all members of a generation, in one file; its entry names the elite among them. */
export const POPULATIONS: KeptKind = {
  directory: populationDirectory,
  old: null,
  bytes: ({ population_bytes }) => population_bytes,
};

/** A kept policy. `path` names it in errors. */
interface KeptPolicy {
  readonly entry: FameEntry;
  readonly policy: Uint8Array;
  readonly path: string;
}

function oldEntry({ name, commit: { generation, global_step, fitness } }: CheckpointInfo): FameEntry {
  return { generation, global_step, fitness, index: Number(OLD_NAME.exec(name)?.[1] ?? -1), pinned: false };
}

const notKept = (path: string): StorageError =>
  new StorageError("not_found", path, "the elite of this generation is not kept; choose another");

/** The halls of fame of runs. Methods that change one require the run's lock or acquire it. */
export class HallOfFame {
  readonly #files: FileStore;
  readonly #held: HeldRuns;
  readonly #kind: KeptKind;
  /** Open directories of held runs. */
  readonly #open = new Map<string, EliteDirectory>();

  constructor(files: FileStore, held: HeldRuns, kind: KeptKind) {
    this.#files = files;
    this.#held = held;
    this.#kind = kind;
  }

  /** Forgets what it knows of a run that others may change from now on. */
  forget(id: string): void {
    this.#open.delete(id);
  }

  /** Sorted by generation. */
  async list(id: string): Promise<readonly FameEntry[]> {
    const { entries } = await this.#elites(id);
    const known = new Set(entries.map(({ generation }) => generation));
    const old = (await this.#old(id)).map(oldEntry).filter(({ generation }) => !known.has(generation));
    return old.length === 0 ? entries : [...old, ...entries].sort((a, b) => a.generation - b.generation);
  }

  /** Bytes of the policies' files, without those of earlier versions. */
  async bytes(id: string): Promise<number> {
    return eliteBytes((await this.#elites(id)).entries);
  }

  /**
   * Keeps policies, and deletes others if they exceed the storage policy.
   * @returns which others were deleted, and why.
   * @throws StorageError like `EliteDirectory.keep`.
   */
  async add(id: string, elites: readonly NewElite[]): Promise<Kept> {
    if (elites.length === 0) return { shed: false, thinned: false };
    const limits = eliteLimits(this.#kind.bytes(await readPolicy(this.#files)));
    return this.#change(id, (open) => open.keep(elites, limits));
  }

  /** The policy of a generation. @throws StorageError `not_found` or `corrupt`. */
  async read(id: string, generation: number): Promise<KeptPolicy> {
    const elites = await this.#elites(id);
    const entry = elites.entries.find((other) => other.generation === generation);
    if (entry)
      return {
        entry,
        policy: await elites.policy(entry),
        path: joinPath(this.#kind.directory(id), entry.sha256),
      };
    const old = (await this.#old(id)).find(({ commit }) => commit.generation === generation);
    const { directory, old: earlier } = this.#kind;
    const dir = joinPath((earlier ?? directory)(id), old?.name ?? String(generation));
    const policy = old && (await readCheckpoint(this.#files, dir)).files.get(POLICY_FILE);
    if (old && policy) return { entry: oldEntry(old), policy, path: joinPath(dir, POLICY_FILE) };
    throw notKept(dir);
  }

  /**
   * The newest readable policy up to a generation, else the first one after it. Null if there is none.
   */
  async at(id: string, generation: number): Promise<KeptPolicy | null> {
    const all = await this.list(id);
    const before = all.filter((entry) => entry.generation <= generation).reverse();
    const after = all.filter((entry) => entry.generation > generation);
    for (const entry of [...before, ...after]) {
      try {
        return await this.read(id, entry.generation);
      } catch (error) {
        // Its file was deleted or damaged by others.
        if (!isStorageError(error, "not_found") && !isStorageError(error, "corrupt")) throw error;
      }
    }
    return null;
  }

  /**
   * Keeps the policy of a generation for ever, or no longer. Those that earlier versions stored always stay.
   * @throws StorageError `not_found`.
   */
  async pin(id: string, generation: number, on: boolean): Promise<void> {
    await this.#change(id, async (open) => {
      if (open.entries.some((entry) => entry.generation === generation)) return open.pin(generation, on);
      throw notKept(joinPath(this.#kind.directory(id), String(generation)));
    });
  }

  /** Makes room for others: deletes the oldest policies. @returns whether there were any. */
  async shed(id: string): Promise<boolean> {
    return this.#change(id, (open) => open.shed());
  }

  /** Deletes the policies of all generations after `generation`, which will run again. */
  async cut(id: string, generation: number): Promise<void> {
    await this.#change(id, (open) => open.cut(generation));
    await this.#held.change(id, async () => {
      for (const { dir, commit } of await this.#old(id))
        if (commit.generation > generation) await removeCheckpoint(this.#files, dir);
    });
  }

  async #elites(id: string): Promise<EliteDirectory> {
    return this.#open.get(id) ?? EliteDirectory.read(this.#files, this.#kind.directory(id));
  }

  async #old(id: string): Promise<CheckpointInfo[]> {
    const dir = this.#kind.old?.(id);
    return dir === undefined ? [] : listCheckpoints(this.#files, dir, (name) => OLD_NAME.test(name));
  }

  async #change<T>(id: string, work: (open: EliteDirectory) => Promise<T>): Promise<T> {
    return this.#held.change(id, async () => {
      const open = this.#open.get(id) ?? (await EliteDirectory.open(this.#files, this.#kind.directory(id)));
      if (this.#held.has(id)) this.#open.set(id, open);
      try {
        return await work(open);
      } catch (error) {
        // What it knows may differ from the files.
        this.forget(id);
        throw error;
      }
    });
  }
}
