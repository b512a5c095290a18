/** Queues that keep their jobs in the platform's PostgreSQL. */
import type { EventEmitter } from "node:events";
import { createPostgresBackend, runMigrations } from "bullmq";
import pg from "pg";
import type { Database } from "../database/Database.ts";
import { Outages } from "../database/Outages.ts";
import type { Queues } from "./Queues.ts";

/** Schema of BullMQ's tables. */
const SCHEMA = "bullmq";

export class PostgresQueues implements Queues {
  readonly place = "database";
  readonly connection: pg.Pool;
  readonly backend: Queues["backend"] = (name, options, rest) =>
    createPostgresBackend(name, { ...options, connection: this.connection }, rest);
  readonly #outages: Outages;
  /** Connections that are checked out of the pool. */
  readonly #held = new Set<pg.PoolClient>();

  private constructor({ url, stuck_ms }: Database, log: (message: string) => void) {
    this.#outages = new Outages("the queue's database", log);
    this.connection = new pg.Pool({
      connectionString: url,
      // Each listener occupies a connection permanently.
      max: 12,
      keepAlive: true,
      idle_in_transaction_session_timeout: stuck_ms,
      options: `-c search_path=${SCHEMA}`,
    });
    this.connection.on("error", (error) => this.failed(error));
    // The pool listens to idle connections only; one that breaks in use would end the process.
    this.connection.on("connect", (client) => client.on("error", (error) => this.failed(error)));
    // Each BullMQ object adds an error listener and does not remove it when it is closed.
    const emitter: EventEmitter = this.connection;
    emitter.on("newListener", (event, listener) => {
      if (event === "error") queueMicrotask(() => emitter.off("error", listener));
    });
    this.connection.on("acquire", (client) => this.#held.add(client));
    this.connection.on("release", (_, client) => this.#held.delete(client));
  }

  /**
   * Opens the connections once the database answers. Queues created while it is unreachable never recover.
   */
  static async open(database: Database, log: (message: string) => void): Promise<PostgresQueues> {
    await database.ready();
    return new PostgresQueues(database, log);
  }

  /** Migrates BullMQ's tables. */
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
    // A worker does not release the connection that it listened on, and the pool waits for unreleased
    // connections.
    for (const client of [...this.#held]) {
      client.release(true);
      // A query that is still running would release its connection again, which throws.
      client.release = () => undefined;
    }
    await ended;
  }
}
