/** Notifications of `pg_notify`, over a dedicated connection that is reopened whenever it breaks. */
import pg from "pg";
import { pause } from "../../../src/hosting/index.ts";
import type { Database } from "./Database.ts";

/** Milliseconds until a broken connection is reopened. */
const AGAIN_MS = 200;

export class Notifications {
  readonly #database: Database;
  readonly #channel: string;
  readonly #listeners = new Set<(payload: string | null) => void>();
  #client: pg.Client | null = null;
  #closed = false;
  #running: Promise<void> | null = null;

  constructor(database: Database, channel: string) {
    this.#database = database;
    this.#channel = channel;
  }

  /**
   * Calls `listener` with the payload of each notification from now on, and with null whenever notifications
   * may have been missed.
   * @returns a function that removes the listener.
   */
  listen(listener: (payload: string | null) => void): () => void {
    this.#listeners.add(listener);
    this.#running ??= this.#run();
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#client?.end().catch(() => undefined);
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#closed && !this.#database.closed.aborted) {
      await this.#connection().catch(() => undefined);
      if (!this.#closed) await pause(AGAIN_MS, this.#database.closed);
    }
  }

  /** Resolves when the connection has ended. */
  async #connection(): Promise<void> {
    const client = new pg.Client({ connectionString: this.#database.url, keepAlive: true });
    const ended = new Promise<void>((resolve) => {
      client.on("error", () => resolve());
      client.on("end", () => resolve());
    });
    this.#client = client;
    client.on("notification", ({ payload }) => this.#tell(payload ?? null));
    try {
      await client.connect();
      await client.query(`LISTEN ${this.#channel}`);
      this.#tell(null);
      if (!this.#closed) await ended;
    } finally {
      this.#client = null;
      await client.end().catch(() => undefined);
    }
  }

  #tell(payload: string | null): void {
    for (const listener of this.#listeners) listener(payload);
  }
}
