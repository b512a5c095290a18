/** The platform's runs: the actions of their owners, and queries. */
import { createHash, randomUUID } from "node:crypto";
import type { Database, Query } from "../database/Database.ts";
import type { ResourceId } from "../worker/resources.ts";
import {
  type Desired,
  ENDED,
  isEnded,
  type RewardModule,
  RUN_COLUMNS,
  RUNS_CHANNEL,
  type RunRow,
  runRowSchema,
} from "./RunRow.ts";
import { appendEvent, lockRun, stateEvent } from "./runEvents.ts";

/** Thrown if a request conflicts with the current state. Its message is shown to the client. */
export class ConflictError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ConflictError";
  }
}

export interface NewRun {
  /** Name, unique in its project; null derives one from the manifest. */
  readonly name: string | null;
  readonly project: string;
  /** ID of the key that submits it. */
  readonly key: string;
  /** Key that is the same for a repeated request; null if the client sent none. */
  readonly idempotency_key: string | null;
  /** Object form of a validated manifest. */
  readonly manifest: object;
  /** Prefix of its name if `name` is null. */
  readonly title: string;
  readonly seed: number;
  readonly resource_id: ResourceId;
  readonly num_nodes: number | null;
  /** The reward module, which is already stored as an artifact. */
  readonly reward: RewardModule | null;
}

export interface SubmittedRun {
  readonly run: RunRow;
  /** False if the same request was accepted before. */
  readonly isNew: boolean;
}

const parse = (row: unknown): RunRow => runRowSchema.parse(row);

export class RunTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Adds a run, once per idempotency key.
   * @throws ConflictError if the name is taken in its project, or the idempotency key belongs to another
   * request.
   */
  async submit(run: NewRun): Promise<SubmittedRun> {
    const id = randomUUID();
    const { key, idempotency_key, project, manifest, seed, resource_id, num_nodes, reward } = run;
    const name = run.name ?? `${run.title}-${id.slice(0, 8)}`;
    const settings = { name: run.name, project, manifest, seed, resource_id, num_nodes };
    const request = { ...settings, ...(reward && { reward }) };
    const request_hash = createHash("sha256").update(JSON.stringify(request)).digest("hex");
    return this.#database.transaction(async (query) => {
      // The second of two concurrent requests waits here until the first is committed.
      await query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [
        `${key} ${idempotency_key ?? id}`,
      ]);
      const [before] = idempotency_key
        ? await query(
            `SELECT ${RUN_COLUMNS}, request_hash FROM runs WHERE key = $1 AND idempotency_key = $2`,
            [key, idempotency_key],
          )
        : [];
      if (before) {
        if (before.request_hash === request_hash) return { run: parse(before), isNew: false };
        throw new ConflictError(
          "Idempotency-Key: found a key that was used for a different request; send a new key with each new request",
        );
      }
      const [row] = await query(
        `INSERT INTO runs (id, name, project, key, idempotency_key, request_hash, manifest, seed, resource_id, num_nodes, reward, state)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'queued')
         ON CONFLICT (project, name) DO NOTHING RETURNING ${RUN_COLUMNS}`,
        [
          id,
          name,
          project,
          key,
          idempotency_key,
          request_hash,
          JSON.stringify(manifest),
          seed,
          resource_id,
          num_nodes,
          reward && JSON.stringify(reward),
        ],
      );
      if (!row)
        throw new ConflictError(
          `experiment_name: "${name}" is taken in the project "${project}"; choose another name`,
        );
      await appendEvent(query, id, stateEvent("launch:1", "queued", null));
      return { run: parse(row), isNew: true };
    });
  }

  /**
   * Finds a run by ID or name, in one project or in all if `project` is null.
   * @returns null if there is none.
   * @throws ConflictError naming the runs if several projects have one of this name.
   */
  async find(nameOrId: string, project: string | null): Promise<RunRow | null> {
    const rows = await this.#database.query(
      `SELECT ${RUN_COLUMNS} FROM runs WHERE (id = $1 OR name = $1) AND ($2::text IS NULL OR project = $2)
       ORDER BY created_at`,
      [nameOrId, project],
    );
    const found = rows.map(parse);
    const [only, ...others] = found;
    const one = others.length === 0 ? only : found.find(({ id }) => id === nameOrId);
    if (one || !only) return one ?? null;
    const list = found.map(({ id, project: own }) => `${id} in the project "${own}"`).join(", ");
    throw new ConflictError(
      `experiment_name: found "${nameOrId}" ${found.length} times; give an id: ${list}`,
    );
  }

  /** Whether an artifact is a checkpoint's file, an elite or a reward module of a project's run. */
  async hasArtifact(project: string, sha256: string): Promise<boolean> {
    const rows = await this.#database.query(
      `SELECT 1 FROM runs WHERE project = $1 AND (elite->>'sha256' = $2 OR reward->>'sha256' = $2 OR EXISTS (
         SELECT 1 FROM checkpoints, jsonb_each(files) WHERE run = runs.id AND value->>'sha256' = $2)) LIMIT 1`,
      [project, sha256],
    );
    return rows.length > 0;
  }

  /** All runs of a project, newest first. @param project `null` means all projects. */
  async list(project: string | null): Promise<readonly RunRow[]> {
    const rows = await this.#database.query(
      `SELECT ${RUN_COLUMNS} FROM runs WHERE $1::text IS NULL OR project = $1 ORDER BY created_at DESC, id`,
      [project],
    );
    return rows.map(parse);
  }

  /** Runs that have not ended, oldest first. */
  async unended(): Promise<readonly RunRow[]> {
    const rows = await this.#database.query(
      `SELECT ${RUN_COLUMNS} FROM runs WHERE NOT state = ANY($1) ORDER BY created_at`,
      [ENDED],
    );
    return rows.map(parse);
  }

  /**
   * Sets the state that the owner wants, and notifies the run's worker. A queued run is stopped at once.
   * @throws ConflictError if the run has ended.
   */
  async want(id: string, desired: Desired): Promise<RunRow> {
    return this.#change(id, async (query, run) => {
      if (isEnded(run.state))
        throw new ConflictError(
          `run ${run.name}: it is ${run.state}, allowed while it is queued, running or paused`,
        );
      await query("UPDATE runs SET desired = $2 WHERE id = $1", [id, desired]);
      if (run.state !== "queued" || desired !== "stop") return;
      await query("UPDATE runs SET state = 'stopped', ended_at = now() WHERE id = $1", [id]);
      await appendEvent(query, id, stateEvent(`unclaimed:${run.launch}`, "stopped", null));
    });
  }

  /**
   * Queues an ended run again.
   * @param manifest The run's new manifest.
   * @throws ConflictError if the run has not ended.
   */
  async relaunch(id: string, manifest: object): Promise<RunRow> {
    return this.#change(id, async (query, run) => {
      if (!isEnded(run.state))
        throw new ConflictError(`run ${run.name}: it is ${run.state}; stop it before it is resumed`);
      await query(
        `UPDATE runs SET state = 'queued', desired = 'run', reason = NULL, ended_at = NULL, launch = launch + 1, manifest = $2
         WHERE id = $1`,
        [id, JSON.stringify(manifest)],
      );
      await appendEvent(query, id, stateEvent(`launch:${run.launch + 1}`, "queued", null));
    });
  }

  /** Marks a run as failed that no worker can end. */
  async fail(id: string, reason: string): Promise<void> {
    await this.#change(id, async (query, run) => {
      if (isEnded(run.state)) return;
      // The new attempt number fences off a worker that still has the run.
      await query(
        "UPDATE runs SET state = 'failed', reason = $2, ended_at = now(), attempt = attempt + 1 WHERE id = $1",
        [id, reason],
      );
      await appendEvent(query, id, stateEvent(`given-up:${run.attempt}`, "failed", reason));
    });
  }

  /** Adds a warning to a run, once per key, without having claimed the run. */
  async warn(id: string, key: string, message: string): Promise<void> {
    await this.#database.transaction(async (query) => {
      await lockRun(query, { run: id, attempt: null });
      await appendEvent(query, id, { kind: "warning", key, payload: { message } });
    });
  }

  async #change(id: string, work: (query: Query, run: RunRow) => Promise<void>): Promise<RunRow> {
    return this.#database.transaction(async (query) => {
      await lockRun(query, { run: id, attempt: null });
      const select = `SELECT ${RUN_COLUMNS} FROM runs WHERE id = $1`;
      const [before] = await query(select, [id]);
      await work(query, parse(before));
      await query("SELECT pg_notify($1, $2)", [RUNS_CHANNEL, id]);
      const [after] = await query(select, [id]);
      return parse(after);
    });
  }
}
