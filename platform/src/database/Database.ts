/**
 * The platform's database: queries, transactions, and work that is retried while the database is unreachable.
 */
import pg from "pg";
import { pause } from "../../../src/hosting/index.ts";
import { isConnectionError, Outages } from "./Outages.ts";

export type Row = Record<string, unknown>;

/** Runs one statement and returns its rows. */
export type Query = (sql: string, values?: readonly unknown[]) => Promise<Row[]>;

export interface DatabaseOptions {
  /** `postgres://user:password@host:port/name`. */
  readonly url: string;
  /** Called when the database becomes unreachable and when it is back. */
  readonly log: (message: string) => void;
  /** Maximum number of connections. Default: 8. */
  readonly connections?: number;
  /** Milliseconds after which the database ends an idle transaction. Default: 10 s. */
  readonly stuck_ms?: number;
}

/** Without a limit, a process that is suspended during a transaction would lock a run's row for ever. */
const STUCK_MS = 10_000;

/** Milliseconds between attempts while the database is unreachable. */
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
    // Without a listener, a connection that breaks would end the process. The pool listens to idle ones, and emits the same.
    this.#pool.on("error", (error) => this.#outages.failed(error));
    this.#pool.on("connect", (client) => client.on("error", (error) => this.#outages.failed(error)));
  }

  /** Aborted by {@link close}. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  readonly query: Query = async (sql, values = []) => {
    const { rows } = await this.#pool.query<Row>(sql, [...values]);
    return rows;
  };

  /** Runs `work` in a transaction on one connection. The transaction is rolled back if `work` throws. */
  async transaction<T>(work: (query: Query) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
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
      client.release(failure);
    }
  }

  /**
   * Runs `work`, and retries it while the database is unreachable. An attempt whose answer was lost may have
   * succeeded, so `work` must be idempotent.
   * @throws any other error of `work`; the last connection error once `signal` is aborted or the database is
   * closed.
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
