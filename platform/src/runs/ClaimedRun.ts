/**
 * A run that a worker has claimed. Every write is fenced: it fails once another worker has claimed the run.
 */
import type { Database, Query } from "../database/Database.ts";
import { type CheckpointRow, checkpointsOf, insertCheckpoint, type NewCheckpoint } from "./checkpointRows.ts";
import {
  type Artifact,
  type Desired,
  desiredSchema,
  ENDED,
  RUN_COLUMNS,
  RUNS_CHANNEL,
  type RunRow,
  type RunStatus,
  runRowSchema,
} from "./RunRow.ts";
import { appendEvent, LostRunError, lockRun, stateEvent, toldBefore } from "./runEvents.ts";

/** Columns of a run's row that describe its progress. */
interface RunPosition {
  readonly generation: number;
  readonly global_step: number;
  readonly best_fitness: number | null;
}

export class ClaimedRun {
  readonly row: RunRow;
  readonly #database: Database;
  #told = 0;

  private constructor(database: Database, row: RunRow) {
    this.#database = database;
    this.row = row;
  }

  /**
   * Claims the run of a job.
   * @returns null if the run has ended, or was queued again since.
   */
  static async claim(
    database: Database,
    { run, launch, worker }: { readonly run: string; readonly launch: number; readonly worker: string },
  ): Promise<ClaimedRun | null> {
    const row = await database.persist(() =>
      database.transaction(async (query) => {
        const [claimed] = await query(
          `UPDATE runs SET attempt = attempt + 1, worker = $3, state = 'running', started_at = coalesce(started_at, now())
           WHERE id = $1 AND launch = $2 AND NOT state = ANY($4) RETURNING ${RUN_COLUMNS}`,
          [run, launch, worker, ENDED],
        );
        if (!claimed) return null;
        const parsed = runRowSchema.parse(claimed);
        await appendEvent(query, run, stateEvent(`attempt:${parsed.attempt}`, "running", null));
        return parsed;
      }),
    );
    return row && new ClaimedRun(database, row);
  }

  /** The run's checkpoints, newest first. */
  async checkpoints(): Promise<readonly CheckpointRow[]> {
    const rows = await this.#database.persist(() => checkpointsOf(this.#database.query, this.row.id));
    return rows.toReversed();
  }

  /** The state that the run's owner wants. @throws LostRunError if another worker has the run. */
  async desired(): Promise<Desired> {
    const { id, attempt } = this.row;
    const [row] = await this.#database.query("SELECT desired FROM runs WHERE id = $1 AND attempt = $2", [
      id,
      attempt,
    ]);
    if (!row) throw new LostRunError(id);
    return desiredSchema.parse(row.desired);
  }

  /**
   * Reports a generation. A generation that was reported before, by any worker, is not reported again.
   * @throws DeterminismError if it was reported before with different results.
   */
  async generation(payload: object, position: RunPosition): Promise<void> {
    const { generation, global_step, best_fitness } = position;
    const key = `generation:${generation}`;
    await this.#write(async (query) => {
      const before = await toldBefore(query, this.row.id, key);
      if (before && !sameReport(before, payload)) throw new DeterminismError(`generation ${generation}`);
      await query(
        `UPDATE runs SET generation = $2, global_step = $3, best_fitness = greatest(best_fitness, $4), progress = NULL
         WHERE id = $1`,
        [this.row.id, generation, global_step, best_fitness],
      );
      await appendEvent(query, this.row.id, { kind: "generation", key, payload });
    });
  }

  async checkpoint(checkpoint: Omit<NewCheckpoint, "attempt">): Promise<void> {
    const { generation, global_step } = checkpoint;
    await this.#write(async (query) => {
      await insertCheckpoint(query, this.row.id, { ...checkpoint, attempt: this.row.attempt });
      const payload = { generation, global_step };
      await appendEvent(query, this.row.id, { kind: "checkpoint", key: `checkpoint:${generation}`, payload });
    });
  }

  async warn(message: string): Promise<void> {
    const key = this.#nextKey();
    await this.#write((query) =>
      appendEvent(query, this.row.id, { kind: "warning", key, payload: { message } }),
    );
  }

  /** Stores the progress of the current generation. Only the latest progress is kept. */
  async progress(payload: object): Promise<void> {
    await this.#write(async (query) => {
      await query("UPDATE runs SET progress = $2 WHERE id = $1", [this.row.id, JSON.stringify(payload)]);
      await query("SELECT pg_notify($1, $2)", [RUNS_CHANNEL, this.row.id]);
    });
  }

  /** Sets the run's state to paused or running. */
  async state(state: RunStatus): Promise<void> {
    const key = this.#nextKey();
    await this.#write(async (query) => {
      await query("UPDATE runs SET state = $2 WHERE id = $1", [this.row.id, state]);
      await appendEvent(query, this.row.id, stateEvent(key, state, null));
    });
  }

  /** Stores the artifact of the elite so far. */
  async elite(elite: Artifact): Promise<void> {
    await this.#write((query) =>
      query("UPDATE runs SET elite = $2 WHERE id = $1", [this.row.id, JSON.stringify(elite)]),
    );
  }

  /** Ends the run. */
  async end(state: RunStatus, reason: string | null): Promise<void> {
    const { id, attempt } = this.row;
    await this.#write(async (query) => {
      await query(
        "UPDATE runs SET state = $2, reason = $3, ended_at = now(), progress = NULL, worker = NULL WHERE id = $1",
        [id, state, reason],
      );
      await appendEvent(query, id, stateEvent(`end:${attempt}`, state, reason));
    });
  }

  /** Returns the run to the queue, when its worker is shutting down. */
  async release(): Promise<void> {
    const { id, attempt } = this.row;
    await this.#write(async (query) => {
      await query("UPDATE runs SET state = 'queued', worker = NULL, progress = NULL WHERE id = $1", [id]);
      await appendEvent(query, id, stateEvent(`released:${attempt}`, "queued", null));
    });
  }

  #nextKey(): string {
    this.#told += 1;
    return `attempt:${this.row.attempt}:${this.#told}`;
  }

  /**
   * Writes, with retries while the database is unreachable.
   * @throws LostRunError if another attempt has the run.
   */
  async #write(work: (query: Query) => Promise<unknown>): Promise<void> {
    const { id: run, attempt } = this.row;
    await this.#database.persist(() =>
      this.#database.transaction(async (query) => {
        await lockRun(query, { run, attempt });
        await work(query);
      }),
    );
  }
}

/**
 * Fields that depend on the clock; one that a worker reports in full only in its first generation; and one that counts
 * the reports of an attempt.
 */
const LEFT_OUT = new Set([
  ...["at", "seconds", "steps_per_second", "learn_steps_per_second", "milliseconds"],
  ...["worker", "started"],
  ...["network", "evolution"],
]);

/** Whether two reports of one generation say the same. */
export const sameReport = (a: object, b: object): boolean => canonical(a) === canonical(b);

/** JSON with sorted keys, because the database does not preserve key order. */
function canonical(report: object): string {
  return JSON.stringify(report, (key, value: unknown) => {
    if (LEFT_OUT.has(key)) return undefined;
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([x], [y]) => (x < y ? -1 : 1)));
  });
}

/** Thrown if something was trained twice with different results. */
export class DeterminismError extends Error {
  /** @param what Name of what was trained twice. */
  constructor(what: string) {
    super(
      `determinism: ${what} was trained twice and its results differ; the machines of this platform do not compute the same bits`,
    );
    this.name = "DeterminismError";
  }
}
