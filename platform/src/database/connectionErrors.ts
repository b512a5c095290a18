/** Distinguishes an unreachable database from a faulty statement. */

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
