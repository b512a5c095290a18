/**
 * The elites of a run's generations in a directory: a file for each policy, named after its SHA-256, and a log in `log/`
 * that says which generation has which file. Whole populations are kept in the same way, one file for each generation.
 */
import { z } from "zod";
import type { NewElite } from "./elites.ts";
import { type EliteEntry, type EliteLimits, elitesToDrop, elitesToShed } from "./eliteThinning.ts";
import type { FileStore } from "./fileStore.ts";
import { encodeFrames, type RunEvent } from "./logFrames.ts";
import { joinPath } from "./paths.ts";
import { RunLog, readRunLog } from "./runLog.ts";
import { sha256Hex } from "./sha256.ts";
import { isStorageError, StorageError } from "./storageError.ts";

const LOG = "log";
const POLICY = /^[0-9a-f]{64}\.safetensors$/;
/** Paths of the files of elites, relative to their directory. */
export const ELITE_PATH = /^(log\/\d{6}\.seg|[0-9a-f]{64}\.safetensors)$/;

const generation = z.int().positive();
const eventSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("elite"),
    generation,
    global_step: z.number().nonnegative(),
    fitness: z.number().nullable(),
    index: z.int().nonnegative(),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    bytes: z.int().nonnegative(),
  }),
  z.object({ type: z.literal("dropped"), generations: z.array(generation) }),
  z.object({ type: z.literal("pin"), generation, on: z.boolean() }),
]);
type EliteEvent = z.output<typeof eventSchema>;

const pathOf = (sha256: string): string => `${sha256}.safetensors`;

/** The files of the elites in `dir` by relative path, as far as they can be read; its log names no others. */
export async function packElites(files: FileStore, dir: string): Promise<ReadonlyMap<string, Uint8Array>> {
  const elites = await EliteDirectory.read(files, dir);
  const packed = new Map<string, Uint8Array>();
  const events: EliteEvent[] = [];
  for (const { pinned, ...entry } of elites.entries) {
    const policy = await elites.policy(entry).catch(ignoreUnreadable);
    if (!policy) continue;
    packed.set(pathOf(entry.sha256), policy);
    events.push({ type: "elite", ...entry });
    if (pinned) events.push({ type: "pin", generation: entry.generation, on: true });
  }
  if (events.length > 0) packed.set(`${LOG}/000001.seg`, encodeFrames(events, 0));
  return packed;
}

/** Which policies were deleted to keep others. */
export interface Kept {
  /** The oldest ones, because the storage is full. */
  readonly shed: boolean;
  /** Some, because all of them exceeded the limits. */
  readonly thinned: boolean;
}

function ignoreUnreadable(error: unknown): null {
  if (isStorageError(error, "not_found") || isStorageError(error, "corrupt")) return null;
  throw error;
}

export class EliteDirectory {
  readonly #files: FileStore;
  readonly #dir: string;
  /** Null if it was opened for reading. */
  #log: RunLog | null = null;
  readonly #entries = new Map<number, Omit<EliteEntry, "pinned">>();
  readonly #pinned = new Set<number>();
  #sorted: readonly EliteEntry[] | null = null;

  private constructor(files: FileStore, dir: string) {
    this.#files = files;
    this.#dir = dir;
  }

  /** Reads which elites there are. */
  static async read(files: FileStore, dir: string): Promise<EliteDirectory> {
    const elites = new EliteDirectory(files, dir);
    await readRunLog(files, joinPath(dir, LOG), ({ event }) => {
      elites.#apply(event);
      return false;
    });
    return elites;
  }

  /** As `read`, for the one writer of the run: also repairs what a crash left. */
  static async open(files: FileStore, dir: string): Promise<EliteDirectory> {
    const elites = new EliteDirectory(files, dir);
    const { log } = await RunLog.open(files, joinPath(dir, LOG), ({ event }) => {
      elites.#apply(event);
      return false;
    });
    elites.#log = log;
    const used = elites.#used();
    for (const { name } of await files.list(dir))
      if (POLICY.test(name) && !used.has(name)) await files.remove(joinPath(dir, name));
    return elites;
  }

  /** Sorted by generation. */
  get entries(): readonly EliteEntry[] {
    this.#sorted ??= [...this.#entries.values()]
      .sort((a, b) => a.generation - b.generation)
      .map((entry) => ({ ...entry, pinned: this.#pinned.has(entry.generation) }));
    return this.#sorted;
  }

  /** The policy of an entry. @throws StorageError `not_found`, or `corrupt` if its file was changed. */
  async policy({ sha256 }: Pick<EliteEntry, "sha256">): Promise<Uint8Array> {
    const path = joinPath(this.#dir, pathOf(sha256));
    const bytes = await this.#files.read(path);
    if ((await sha256Hex(bytes)) === sha256) return bytes;
    throw new StorageError("corrupt", path, "was changed since it was written; choose another generation");
  }

  /**
   * Keeps elites, and deletes others if they exceed the limits. Those of the same and of later generations are replaced:
   * a resumed run trains these generations again.
   * @param elites In the order of their generations.
   * @throws StorageError if one cannot be written even then; `changed` if others deleted the directory meanwhile.
   */
  async keep(elites: readonly NewElite[], limits: EliteLimits): Promise<Kept> {
    const [first] = elites;
    if (!first) return { shed: false, thinned: false };
    await this.cut(first.generation - 1);
    const written = new Set<string>();
    const isThere = (name: string): boolean => written.has(name) || this.#used().has(name);
    const entries: Omit<EliteEntry, "pinned">[] = [];
    let isFull = false;
    for (const { policy, ...meta } of elites) {
      const sha256 = await sha256Hex(policy);
      const name = pathOf(sha256);
      if (!isThere(name)) {
        isFull = (await this.#write(joinPath(this.#dir, name), policy)) || isFull;
        written.add(name);
      }
      entries.push({ ...meta, sha256, bytes: policy.byteLength });
    }
    // Making room may have deleted a file that a new elite was to share.
    const there = entries.filter(({ sha256 }) => isThere(pathOf(sha256)));
    await this.#add(there.map((entry) => ({ type: "elite", ...entry })));
    const dropped = elitesToDrop(this.entries, limits);
    await this.#drop(dropped);
    return { shed: isFull, thinned: dropped.length > 0 };
  }

  /** Deletes the elites of all generations after `last`. */
  async cut(last: number): Promise<void> {
    await this.#drop(this.entries.filter((entry) => entry.generation > last));
  }

  /** Makes room: deletes the oldest elites that are not pinned. @returns whether there were any. */
  async shed(): Promise<boolean> {
    const oldest = elitesToShed(this.entries);
    await this.#drop(oldest);
    return oldest.length > 0;
  }

  /** Keeps an elite for ever, or no longer. */
  async pin(of: number, on: boolean): Promise<void> {
    await this.#add([{ type: "pin", generation: of, on }]);
  }

  /**
   * Checks all files, of an import.
   * @throws StorageError `corrupt` for a file that is missing, of another size or content, or that no elite has.
   */
  async verify(): Promise<void> {
    const refuse = (name: string, found: string): StorageError =>
      new StorageError("corrupt", joinPath(this.#dir, name), found);
    await readRunLog(this.#files, joinPath(this.#dir, LOG), ({ seq, event }) => {
      if (!eventSchema.safeParse(event).success) throw refuse(LOG, `event ${seq} is not one of elites`);
      return false;
    });
    const sizes = new Map((await this.#files.list(this.#dir)).map(({ name, size }) => [name, size]));
    for (const entry of this.entries) {
      const name = pathOf(entry.sha256);
      const size = sizes.get(name);
      if (size === undefined) throw refuse(name, "is missing");
      if (size !== entry.bytes) throw refuse(name, `has ${size} bytes, its entry says ${entry.bytes}`);
      await this.policy(entry);
    }
    const used = this.#used();
    for (const name of sizes.keys())
      if (POLICY.test(name) && !used.has(name)) throw refuse(name, "belongs to no elite");
  }

  #used(): ReadonlySet<string> {
    return new Set(Array.from(this.#entries.values(), ({ sha256 }) => pathOf(sha256)));
  }

  /** @returns whether older elites had to be deleted. */
  async #write(path: string, policy: Uint8Array): Promise<boolean> {
    for (let isFull = false; ; isFull = true) {
      try {
        await this.#files.write(path, policy);
        return isFull;
      } catch (error) {
        if (!isStorageError(error, "full") || !(await this.shed())) throw error;
      }
    }
  }

  /** The log says so first, so that a crash leaves files too many rather than too few. */
  async #drop(entries: readonly EliteEntry[]): Promise<void> {
    if (entries.length === 0) return;
    await this.#add([{ type: "dropped", generations: entries.map((entry) => entry.generation) }]);
    const used = this.#used();
    for (const name of new Set(entries.map(({ sha256 }) => pathOf(sha256))))
      if (!used.has(name)) await this.#files.remove(joinPath(this.#dir, name));
  }

  async #add(events: readonly EliteEvent[]): Promise<void> {
    if (!this.#log) throw new Error(`${this.#dir}: the elites were opened for reading`);
    await this.#log.append(events);
    for (const event of events) this.#apply(event);
  }

  #apply(event: RunEvent): void {
    const parsed = eventSchema.safeParse(event);
    if (!parsed.success) return;
    this.#sorted = null;
    const { data } = parsed;
    switch (data.type) {
      case "elite": {
        const { type: _, ...entry } = data;
        this.#entries.set(entry.generation, entry);
        return;
      }
      case "dropped":
        for (const gone of data.generations) this.#entries.delete(gone);
        return;
      case "pin":
        if (data.on) this.#pinned.add(data.generation);
        else this.#pinned.delete(data.generation);
    }
  }
}
