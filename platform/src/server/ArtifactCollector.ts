/** Deletes artifacts that nothing names any more: no checkpoint, no run's elite or reward module, and no run that has not ended. */
import { readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import type { Database } from "../database/Database.ts";
import { dropOldCheckpoints } from "../runs/checkpointRows.ts";
import { ENDED } from "../runs/RunRow.ts";
import { Periodic } from "./Periodic.ts";

export interface ArtifactCollectorOptions {
  readonly database: Database;
  /** Of the artifacts. */
  readonly directory: string;
  /** Checkpoints that stay of each run, the newest; null for all. */
  readonly keep_checkpoints: number | null;
  readonly log: (message: string) => void;
}

const DAY_MS = 24 * 3600 * 1000;

const namedSchema = z.object({ sha256: z.string() });
const oldestSchema = z.object({ oldest: z.date().nullable() });

export class ArtifactCollector {
  readonly #options: ArtifactCollectorOptions;
  readonly #collections: Periodic;
  #last: Promise<unknown> = Promise.resolve();

  /** Collects now, and once a day. */
  constructor(options: ArtifactCollectorOptions) {
    const { log } = options;
    this.#options = options;
    this.#collections = new Periodic({ every_ms: DAY_MS, log, work: () => this.collect() });
    this.#collections.start();
  }

  /** Collects once, after what is under way. @returns how many artifacts were deleted. */
  collect(): Promise<number> {
    const collected = this.#last.then(() => this.#collect());
    // Whoever asked hears of a failure; the next collection comes whatever became of this one.
    this.#last = collected.catch(() => undefined);
    return collected;
  }

  async #collect(): Promise<number> {
    const { database, directory, keep_checkpoints, log } = this.#options;
    if (keep_checkpoints !== null) await dropOldCheckpoints(database.query, keep_checkpoints);
    const before = await this.#horizon();
    const old = await filesBefore(directory, before);
    // Asked last: a checkpoint that names one of them meanwhile is found.
    const named = await this.#named();
    let [deleted, bytes] = [0, 0];
    for (const { file, size } of old) {
      if (named.has(path.basename(file)) || !(await deleteUnlessTouched(file, before))) continue;
      deleted += 1;
      bytes += size;
    }
    if (deleted > 0) log(`${deleted} artifacts that nothing names were deleted (${bytes} bytes)`);
    return deleted;
  }

  async close(): Promise<void> {
    await this.#collections.close();
  }

  /**
   * Milliseconds of the clock; what was written or wanted since may be on its way. Runs that have not ended use
   * artifacts that no row names, for as long as they train.
   */
  async #horizon(): Promise<number> {
    const [row] = await this.#options.database.query(
      "SELECT min(created_at) AS oldest FROM runs WHERE NOT state = ANY($1)",
      [ENDED],
    );
    const { oldest } = oldestSchema.parse(row);
    return Math.min(Date.now() - DAY_MS, oldest?.getTime() ?? Number.POSITIVE_INFINITY);
  }

  async #named(): Promise<ReadonlySet<string>> {
    const rows = await this.#options.database.query(
      `SELECT DISTINCT value->>'sha256' AS sha256 FROM checkpoints, jsonb_each(files)
       UNION SELECT elite->>'sha256' FROM runs WHERE elite IS NOT NULL
       UNION SELECT reward->>'sha256' FROM runs WHERE reward IS NOT NULL`,
    );
    return new Set(rows.map((row) => namedSchema.parse(row).sha256));
  }
}

interface OldFile {
  readonly file: string;
  readonly size: number;
}

/** Files of a directory's directories that were last touched before a time. */
async function filesBefore(directory: string, before: number): Promise<OldFile[]> {
  const old: OldFile[] = [];
  for (const folder of await namesIn(directory)) {
    for (const name of await namesIn(path.join(directory, folder))) {
      const file = await whole(path.join(directory, folder, name));
      // An upload that was under way may have ended meanwhile.
      const found = await stat(file).catch(() => null);
      if (found && found.mtimeMs < before) old.push({ file, size: found.size });
    }
  }
  return old;
}

const namesIn = (directory: string): Promise<string[]> => readdir(directory).catch(() => []);

/** What a file is called while it is looked at a last time. */
const GOING = ".going";

/** Gives a file its name back whose collector was killed. */
async function whole(file: string): Promise<string> {
  if (!file.endsWith(GOING)) return file;
  const name = file.slice(0, -GOING.length);
  await rename(file, name);
  return name;
}

/** Whoever wants it in this moment either finds it gone and writes it, or has touched it and keeps it. */
async function deleteUnlessTouched(file: string, before: number): Promise<boolean> {
  const going = `${file}${GOING}`;
  await rename(file, going);
  if ((await stat(going)).mtimeMs < before) {
    await rm(going);
    return true;
  }
  await rename(going, file);
  return false;
}
