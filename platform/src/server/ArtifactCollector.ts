/**
 * Deletes unreferenced artifacts: those that are no checkpoint's file and no run's elite, reward module or data
 * set, and that no unended run may be using.
 */
import { readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import type { Database } from "../database/Database.ts";
import { dropOldCheckpoints } from "../runs/checkpointRows.ts";
import { ENDED } from "../runs/RunRow.ts";
import { Periodic } from "./Periodic.ts";

interface ArtifactCollectorOptions {
  readonly database: Database;
  /** Directory of the artifacts. */
  readonly directory: string;
  /** Number of newest checkpoints to keep per run; null keeps all. */
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

  /** Starts a collection now and once a day. */
  constructor(options: ArtifactCollectorOptions) {
    const { log } = options;
    this.#options = options;
    this.#collections = new Periodic({ every_ms: DAY_MS, log, work: () => this.collect() });
    this.#collections.start();
  }

  /** Collects once, after any collection in progress. @returns the number of deleted artifacts. */
  collect(): Promise<number> {
    const collected = this.#last.then(() => this.#collect());
    // The caller gets the error; the next collection runs regardless.
    this.#last = collected.catch(() => undefined);
    return collected;
  }

  async #collect(): Promise<number> {
    const { database, directory, keep_checkpoints, log } = this.#options;
    if (keep_checkpoints !== null) await dropOldCheckpoints(database.query, keep_checkpoints);
    const before = await this.#horizon();
    const old = await filesBefore(directory, before);
    // Queried last, so that checkpoints added in the meantime are included.
    const named = await this.#named();
    let [deleted, bytes] = [0, 0];
    for (const { file, size } of old) {
      if (named.has(path.basename(file)) || !(await deleteUnlessTouched(file, before))) continue;
      deleted += 1;
      bytes += size;
    }
    if (deleted > 0) log(`${deleted} unreferenced artifacts were deleted (${bytes} bytes)`);
    return deleted;
  }

  async close(): Promise<void> {
    await this.#collections.close();
  }

  /**
   * Clock time in milliseconds. Files touched since then may be about to be referenced. Runs that have not
   * ended use artifacts that no row refers to while they train.
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
       UNION SELECT reward->>'sha256' FROM runs WHERE reward IS NOT NULL
       UNION SELECT sha256 FROM runs, (VALUES ('{environment,dataset_path}'), ('{training,demonstrations}')) AS named (place),
         substring(manifest#>>place::text[] FROM '^uploads/([0-9a-f]{64})$') AS sha256
       WHERE sha256 IS NOT NULL`,
    );
    return new Set(rows.map((row) => namedSchema.parse(row).sha256));
  }
}

interface OldFile {
  readonly file: string;
  readonly size: number;
}

/** Files in a directory's subdirectories that were last touched before a time. */
async function filesBefore(directory: string, before: number): Promise<OldFile[]> {
  const old: OldFile[] = [];
  for (const folder of await namesIn(directory)) {
    for (const name of await namesIn(path.join(directory, folder))) {
      const file = await whole(path.join(directory, folder, name));
      // The file may be that of an upload, which has been renamed in the meantime.
      const found = await stat(file).catch(() => null);
      if (found && found.mtimeMs < before) old.push({ file, size: found.size });
    }
  }
  return old;
}

const namesIn = (directory: string): Promise<string[]> => readdir(directory).catch(() => []);

/** Suffix of a file during the last check before its deletion. */
const GOING = ".going";

/** Restores the name of a file whose collector was killed. */
async function whole(file: string): Promise<string> {
  if (!file.endsWith(GOING)) return file;
  const name = file.slice(0, -GOING.length);
  await rename(file, name);
  return name;
}

/** A concurrent user either finds the file gone and writes it again, or has touched it, and it is kept. */
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
