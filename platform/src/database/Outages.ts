import { reasonOf } from "../../../src/hosting/index.ts";

/** SQLSTATE codes: connection exception, too many connections, idle transaction, shutdown, crash, startup. */
const AWAY = /^(?:08\w{3}|25P03|53300|57P0[1-5])$/;

const SYSTEM = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ENOENT", "ETIMEDOUT", "EHOSTUNREACH"]);

/** Messages of `pg` for a connection that ended during a query; these errors have no code. */
const ENDED =
  /connection (?:terminated|ended|error)|client has encountered a connection error|timeout exceeded/i;

export function isConnectionError(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isConnectionError);
  if (!(error instanceof Error)) return false;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return AWAY.test(code) || SYSTEM.has(code) || ENDED.test(error.message);
}

/** Logs an outage once when it begins and once when it ends, however many requests fail during it. */
export class Outages {
  readonly #name: string;
  readonly #log: (message: string) => void;
  #down = false;

  /** @param name The unreachable service, such as "the database". */
  constructor(name: string, log: (message: string) => void) {
    this.#name = name;
    this.#log = log;
  }

  failed(error: unknown): void {
    if (this.#down) return;
    this.#down = true;
    // The error of `fetch` says only that the request failed; its cause has the reason.
    const reason = reasonOf(error instanceof Error && error.cause instanceof Error ? error.cause : error);
    this.#log(`${this.#name} cannot be reached (${reason}); waiting for it`);
  }

  answered(): void {
    if (!this.#down) return;
    this.#down = false;
    this.#log(`${this.#name} answers again`);
  }
}
