/** A node's view of its run and of the worker that drives it. */
import { z } from "zod";
import type { Gate } from "../../../src/hosting/index.ts";
import type { Database } from "../database/Database.ts";
import type { Notifications } from "../database/Notifications.ts";
import { desiredSchema, isEnded, runStatusSchema } from "../runs/RunRow.ts";
import type { Attempt } from "./turnJob.ts";

interface DriverWatchOptions {
  readonly database: Database;
  /** Notifications of changed run rows. */
  readonly changes: Notifications;
  readonly attempt: Attempt;
  /** Milliseconds without a heartbeat after which the driver counts as gone. */
  readonly lock_ms: number;
  /** Held while the run's owner has it paused. */
  readonly gate: Gate;
}

/** Polls of the driver per lock duration. */
const LOOKS = 4;

const rowSchema = z.object({
  attempt: z.int(),
  state: runStatusSchema,
  desired: desiredSchema,
  /** Time of the driver's last heartbeat, and milliseconds since; null if the driver is gone. */
  seen_at: z.date().nullable(),
  silent_ms: z.coerce.number().nullable(),
});

export class DriverWatch {
  readonly #options: DriverWatchOptions;
  readonly #silence: () => void;
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #over: Promise<void>;
  #end: () => void = () => undefined;
  #looking: Promise<void> = Promise.resolve();
  /** Time of the driver's last heartbeat; null before the first poll. */
  #seen: number | null = null;
  /** Polls since the driver's last heartbeat. Reset while the database is unreachable. */
  #silent = 0;

  constructor(options: DriverWatchOptions) {
    this.#options = options;
    const { changes, attempt, lock_ms } = options;
    this.#over = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#silence = changes.listen((run) => {
      if (run === null || run === attempt.run) void this.look();
    });
    this.#timer = setInterval(() => {
      this.#silent += 1;
      void this.look();
    }, lock_ms / LOOKS);
  }

  /** Resolves when this attempt no longer has the run, or the run has ended or lost its driver. */
  get over(): Promise<void> {
    return this.#over;
  }

  /** Polls now. */
  look(): Promise<void> {
    this.#looking = this.#looking.then(() => this.#look());
    return this.#looking;
  }

  async close(): Promise<void> {
    this.#silence();
    clearInterval(this.#timer);
    await this.#looking;
  }

  async #look(): Promise<void> {
    const { database, attempt, lock_ms, gate } = this.#options;
    const rows = await database
      .query(
        `SELECT attempt, state, desired, seen_at, 1000 * extract(epoch FROM now() - seen_at) AS silent_ms FROM runs LEFT JOIN workers ON workers.id = runs.worker
         WHERE runs.id = $1`,
        [attempt.run],
      )
      .catch(() => null);
    if (!rows) {
      this.#silent = 0;
      return;
    }
    const row = rows[0] && rowSchema.parse(rows[0]);
    const seen = row?.seen_at?.getTime() ?? 0;
    // A worker that joined a run whose driver is gone would be too busy to take the run over.
    const isLate = this.#seen === null && (row?.silent_ms ?? lock_ms) >= lock_ms;
    if (seen !== this.#seen) [this.#seen, this.#silent] = [seen, 0];
    const isOver = !row || row.attempt !== attempt.attempt || row.state === "queued" || isEnded(row.state);
    if (isOver || isLate || this.#silent > LOOKS) {
      this.#end();
      return;
    }
    if (row.desired === "pause") gate.pause();
    else gate.resume();
  }
}
