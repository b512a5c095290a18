/** The table of workers. */
import { z } from "zod";
import { VERSION } from "../../../src/hosting/index.ts";
import type { Database } from "../database/Database.ts";
import { type QueuePlace, queuePlaceSchema } from "../jobs/Queues.ts";

const QUEUE_NAMES: Readonly<Record<QueuePlace, string>> = { database: "the database", redis: "Redis" };

/** Why a worker cannot take runs of a resource that are queued at a place, or null if it can. */
export function unableReason(
  { host, pid, device, version, queue }: WorkerRecord,
  { resource_id, place }: { readonly resource_id: string; readonly place: QueuePlace },
): string | null {
  const worker = `the worker ${pid} on ${host}`;
  if (device !== resource_id) return `${worker} takes runs of the resource "${device}"`;
  if (version !== VERSION) return `${worker} has version ${version}, allowed ${VERSION}`;
  if (queue !== place)
    return `${worker} looks for jobs in ${QUEUE_NAMES[queue]}, but they are in ${QUEUE_NAMES[place]} (--queue)`;
  return null;
}

/** Seconds without a heartbeat after which a worker counts as gone. */
const GONE_S = 15;

/** Maximum milliseconds between heartbeats. */
export const ALIVE_MS = 4000;

const COLUMNS = "id, pid, host, cores, device, version, queue, run";

export const workerSchema = z.object({
  id: z.string(),
  pid: z.int(),
  host: z.string(),
  /** Number of training threads. */
  cores: z.int(),
  /** ID of the resource whose runs it takes. */
  device: z.string(),
  /** Version of rlkit. */
  version: z.string(),
  /** Where it takes jobs from. */
  queue: queuePlaceSchema,
  /** ID of the run that it works on; null if none. */
  run: z.string().nullable(),
});

type WorkerRecord = z.infer<typeof workerSchema>;

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

  /** Sets the run that a worker works on. */
  async work(id: string, run: string | null): Promise<void> {
    await this.#database.query("UPDATE workers SET run = $2, seen_at = now() WHERE id = $1", [id, run]);
  }

  async remove(id: string): Promise<void> {
    await this.#database.query("DELETE FROM workers WHERE id = $1", [id]);
  }

  /** Workers with a recent heartbeat, in order of their start. */
  async list(): Promise<readonly WorkerRecord[]> {
    const rows = await this.#database.query(
      `SELECT ${COLUMNS} FROM workers
       WHERE seen_at > now() - make_interval(secs => ${GONE_S}) ORDER BY started_at, id`,
    );
    return rows.map((row) => workerSchema.parse(row));
  }
}
