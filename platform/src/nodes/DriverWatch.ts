/** What a machine that works for a run sees of it, and of the worker that drives it. */
import { z } from "zod";
import type { Database } from "../database/Database.ts";
import type { Notifications } from "../database/Notifications.ts";
import { desiredSchema, isEnded, runStatusSchema } from "../runs/RunRow.ts";
import type { Attempt } from "./turnJob.ts";

export interface DriverWatchOptions {
  readonly database: Database;
  /** Tells that a run's row changed. */
  readonly changes: Notifications;
  readonly attempt: Attempt;
  /** Milliseconds without a sign of life after which the driver counts as gone. */
  readonly lock_ms: number;
  /** Told whether the run's owner holds it, whenever that changes. */
  readonly onPause: (isPaused: boolean) => void;
}

/** Looks at the driver in each lock time. */
const LOOKS = 4;

const rowSchema = z.object({
  attempt: z.int(),
  state: runStatusSchema,
  desired: desiredSchema,
  /** The driver's last sign of life, and milliseconds since; null where it is gone. */
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
  #paused = false;
  /** The driver's last sign of life; null before the first look. */
  #seen: number | null = null;
  /** Looks since the driver's last sign of life. None is counted while the database is away: nothing is seen then. */
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

  /** Resolves when the run is not this attempt's any more, has ended, or has lost its driver. */
  get over(): Promise<void> {
    return this.#over;
  }

  /** Looks now. */
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
    const { database, attempt, lock_ms, onPause } = this.#options;
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
    // A worker that joins a run without a driver could not take that run over.
    const isLate = this.#seen === null && (row?.silent_ms ?? lock_ms) >= lock_ms;
    if (seen !== this.#seen) [this.#seen, this.#silent] = [seen, 0];
    const isOver = !row || row.attempt !== attempt.attempt || row.state === "queued" || isEnded(row.state);
    if (isOver || isLate || this.#silent > LOOKS) {
      this.#end();
      return;
    }
    const isPaused = row.desired === "pause";
    if (isPaused === this.#paused) return;
    this.#paused = isPaused;
    onPause(isPaused);
  }
}
