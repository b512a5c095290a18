/** Queues whose jobs are kept in the platform's own PostgreSQL. */
import type { EventEmitter } from "node:events";
import { createPostgresBackend, runMigrations } from "bullmq";
import pg from "pg";
import type { Database } from "../database/Database.ts";
import { Outages } from "../database/Outages.ts";
import type { Queues } from "./Queues.ts";

/** Where BullMQ keeps its tables. */
const SCHEMA = "bullmq";

export class PostgresQueues implements Queues {
  readonly place = "database";
  readonly connection: pg.Pool;
  readonly backend: Queues["backend"] = (name, options, rest) =>
    createPostgresBackend(name, { ...options, connection: this.connection }, rest);
  readonly #outages: Outages;
  /** Connections that are in somebody's hands. */
  readonly #held = new Set<pg.PoolClient>();

  private constructor({ url, stuck_ms }: Database, log: (message: string) => void) {
    this.#outages = new Outages("the queue's database", log);
    this.connection = new pg.Pool({
      connectionString: url,
      // Each that listens keeps one for itself.
      max: 12,
      keepAlive: true,
      idle_in_transaction_session_timeout: stuck_ms,
      options: `-c search_path=${SCHEMA}`,
    });
    this.connection.on("error", (error) => this.failed(error));
    // Each of BullMQ's objects adds one more, and leaves it there when it is closed.
    const emitter: EventEmitter = this.connection;
    emitter.on("newListener", (event, listener) => {
      if (event === "error") queueMicrotask(() => emitter.off("error", listener));
    });
    this.connection.on("acquire", (client) => this.#held.add(client));
    this.connection.on("release", (_, client) => this.#held.delete(client));
  }

  /** Opens the connections once the database answers: queues made while it is away never wake up. */
  static async open(database: Database, log: (message: string) => void): Promise<PostgresQueues> {
    await database.ready();
    return new PostgresQueues(database, log);
  }

  /** Brings BullMQ's tables to its version. */
  async migrate(): Promise<void> {
    const client = await this.connection.connect();
    try {
      await runMigrations(client, SCHEMA);
    } finally {
      client.release();
    }
  }

  failed(error: unknown): void {
    this.#outages.failed(error);
  }

  answered(): void {
    this.#outages.answered();
  }

  async close(): Promise<void> {
    const ended = this.connection.end();
    // A worker leaves the connection that it listened on; the pool does not end what was not given back.
    for (const client of [...this.#held]) {
      client.release(true);
      // A query that was still under way would give its connection back once more, which throws.
      client.release = () => undefined;
    }
    await ended;
  }
}
