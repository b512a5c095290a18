/** The connections of queues whose jobs are kept in PostgreSQL. */
import type { EventEmitter } from "node:events";
import { createPostgresBackend, runMigrations } from "bullmq";
import pg from "pg";
import type { Database } from "../database/Database.ts";
import { Outages } from "../database/Outages.ts";

/** Where BullMQ keeps its tables. */
const SCHEMA = "bullmq";

export class QueueDatabase {
  readonly pool: pg.Pool;
  readonly backend = createPostgresBackend;
  readonly #outages: Outages;
  /** Connections that are in somebody's hands. */
  readonly #held = new Set<pg.PoolClient>();

  private constructor({ url, stuck_ms }: Database, log: (message: string) => void) {
    this.#outages = new Outages("the queue's database", log);
    this.pool = new pg.Pool({
      connectionString: url,
      // Each that listens keeps one for itself.
      max: 12,
      keepAlive: true,
      idle_in_transaction_session_timeout: stuck_ms,
      options: `-c search_path=${SCHEMA}`,
    });
    this.pool.on("error", (error) => this.failed(error));
    // Each of BullMQ's objects adds one more, and leaves it there when it is closed.
    const emitter: EventEmitter = this.pool;
    emitter.on("newListener", (event, listener) => {
      if (event === "error") queueMicrotask(() => emitter.off("error", listener));
    });
    this.pool.on("acquire", (client) => this.#held.add(client));
    this.pool.on("release", (_, client) => this.#held.delete(client));
  }

  /** Opens the connections once the database answers: queues made while it is away never wake up. */
  static async open(database: Database, log: (message: string) => void): Promise<QueueDatabase> {
    await database.ready();
    return new QueueDatabase(database, log);
  }

  /** Brings BullMQ's tables to its version. */
  async migrate(): Promise<void> {
    const client = await this.pool.connect();
    try {
      await runMigrations(client, SCHEMA);
    } finally {
      client.release();
    }
  }

  /** Told of every error of queues and workers. */
  failed(error: unknown): void {
    this.#outages.failed(error);
  }

  answered(): void {
    this.#outages.answered();
  }

  async close(): Promise<void> {
    const ended = this.pool.end();
    // A worker leaves the connection that it listened on; the pool does not end what was not given back.
    for (const client of [...this.#held]) client.release(true);
    await ended;
  }
}
