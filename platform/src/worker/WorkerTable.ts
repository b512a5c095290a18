/** The workers that there are. */
import { z } from "zod";
import type { Database } from "../database/Database.ts";
import { queuePlaceSchema } from "../jobs/Queues.ts";

/** Seconds without a sign of life after which a worker counts as gone. */
const GONE_S = 15;

/** Milliseconds between signs of life. */
export const ALIVE_MS = 4000;

const COLUMNS = "id, pid, host, cores, device, version, queue, run";

export const workerSchema = z.object({
  id: z.string(),
  pid: z.int(),
  host: z.string(),
  /** Threads that it trains in. */
  cores: z.int(),
  /** Resource whose runs it takes. */
  device: z.string(),
  /** Version of rlkit. */
  version: z.string(),
  /** Where it looks for jobs. */
  queue: queuePlaceSchema,
  /** Run that it works on; null for none. */
  run: z.string().nullable(),
});

export type WorkerRecord = z.infer<typeof workerSchema>;

export class WorkerTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async register(worker: Omit<WorkerRecord, "run">): Promise<void> {
    const { id, pid, host, cores, device, version, queue } = worker;
    await this.#database.query(
      `INSERT INTO workers (id, pid, host, cores, device, version, queue) VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (id) DO UPDATE SET seen_at = now()`,
      [id, pid, host, cores, device, version, queue],
    );
  }

  async alive(id: string): Promise<void> {
    await this.#database.query("UPDATE workers SET seen_at = now() WHERE id = $1", [id]);
  }

  /** Says which run it works on. */
  async work(id: string, run: string | null): Promise<void> {
    await this.#database.query("UPDATE workers SET run = $2, seen_at = now() WHERE id = $1", [id, run]);
  }

  async remove(id: string): Promise<void> {
    await this.#database.query("DELETE FROM workers WHERE id = $1", [id]);
  }

  /** Those that gave a sign of life lately, the oldest first. */
  async list(): Promise<readonly WorkerRecord[]> {
    const rows = await this.#database.query(
      `SELECT ${COLUMNS} FROM workers
       WHERE seen_at > now() - make_interval(secs => ${GONE_S}) ORDER BY started_at, id`,
    );
    return rows.map((row) => workerSchema.parse(row));
  }
}
