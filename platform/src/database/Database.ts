/** The platform's tables: queries, transactions, and work that waits for a database that is away. */
import pg from "pg";
import { isConnectionError } from "./connectionErrors.ts";
import { Outages } from "./Outages.ts";
import { pause } from "./pause.ts";

export type Row = Record<string, unknown>;

/** Runs one statement; its rows are returned. */
export type Query = (sql: string, values?: readonly unknown[]) => Promise<Row[]>;

export interface DatabaseOptions {
  /** `postgres://user:password@host:port/name`. */
  readonly url: string;
  /** Told when the database goes away and when it is back. */
  readonly log: (message: string) => void;
  /** Connections at most; 8 unless given. */
  readonly connections?: number;
  /** Milliseconds after which the database ends a transaction whose process does nothing; 10 s unless given. */
  readonly stuck_ms?: number;
}

/** A process that was frozen amid a transaction would hold a run's row for ever. */
const STUCK_MS = 10_000;

/** Milliseconds between attempts while the database is away. */
const RETRY_MS = 200;

export class Database {
  readonly url: string;
  readonly stuck_ms: number;
  readonly #pool: pg.Pool;
  readonly #outages: Outages;
  readonly #closed = new AbortController();

  constructor({ url, log, connections = 8, stuck_ms = STUCK_MS }: DatabaseOptions) {
    this.url = url;
    this.stuck_ms = stuck_ms;
    this.#outages = new Outages("the database", log);
    this.#pool = new pg.Pool({
      connectionString: url,
      max: connections,
      keepAlive: true,
      idle_in_transaction_session_timeout: stuck_ms,
    });
    // Without a listener an idle connection that breaks would end the process.
    this.#pool.on("error", (error) => this.#outages.failed(error));
  }

  /** Aborted when this is closed. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  readonly query: Query = async (sql, values = []) => {
    const { rows } = await this.#pool.query<Row>(sql, [...values]);
    return rows;
  };

  /** Runs `work` in a transaction on one connection; what it throws rolls back. */
  async transaction<T>(work: (query: Query) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    // A connection that breaks between two statements says so here, and the next statement fails.
    const broken = (error: Error): void => this.#outages.failed(error);
    client.on("error", broken);
    let failure: Error | undefined;
    try {
      await client.query("BEGIN");
      const result = await work(async (sql, values = []) => (await client.query<Row>(sql, [...values])).rows);
      await client.query("COMMIT");
      return result;
    } catch (error) {
      failure = isConnectionError(error) ? (error as Error) : undefined;
      if (!failure) await client.query("ROLLBACK").catch(() => undefined);
      throw error;
    } finally {
      client.removeListener("error", broken);
      client.release(failure);
    }
  }

  /**
   * Does `work`, again for as long as the database is away. It may have been done although its answer was lost, so `work`
   * must be one that can be done twice.
   * @throws what `work` throws of its own; the last connection error once `signal` is aborted or this is closed.
   */
  async persist<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (;;) {
      try {
        const result = await work();
        this.#outages.answered();
        return result;
      } catch (error) {
        if (!isConnectionError(error)) throw error;
        this.#outages.failed(error);
        if (signal?.aborted || this.closed.aborted) throw error;
        await pause(RETRY_MS, signal);
      }
    }
  }

  /** Resolves when the database answers. */
  async ready(signal?: AbortSignal): Promise<void> {
    await this.persist(() => this.query("SELECT 1"), signal);
  }

  async close(): Promise<void> {
    if (this.closed.aborted) return;
    this.#closed.abort();
    await this.#pool.end();
  }
}
