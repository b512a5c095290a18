/** Which errors say that the database is away, and not that a statement is wrong. */

/** SQLSTATE classes and codes: connection exceptions, no connections left, a transaction that stood still, shutdown, crash, start-up. */
const AWAY = /^(?:08\w{3}|25P03|53300|57P0[1-5])$/;

const SYSTEM = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ENOENT", "ETIMEDOUT", "EHOSTUNREACH"]);

/** What `pg` says where a connection ended under a query; these errors have no code. */
const ENDED =
  /connection (?:terminated|ended|error)|client has encountered a connection error|timeout exceeded/i;

export function isConnectionError(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isConnectionError);
  if (!(error instanceof Error)) return false;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return AWAY.test(code) || SYSTEM.has(code) || ENDED.test(error.message);
}
