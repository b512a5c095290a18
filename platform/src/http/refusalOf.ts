/** Maps an error to a response status and body. */
import { SpecError } from "../../../src/specs/index.ts";
import { isStorageError } from "../../../src/storage/index.ts";
import { isConnectionError } from "../database/connectionErrors.ts";
import { ConflictError } from "../runs/RunTable.ts";
import { ApiError } from "./ApiError.ts";

/** Seconds after which a client may retry while the database is unreachable. */
const AGAIN_S = 2;

const statusOf = (error: unknown): number | null =>
  error instanceof Error && "statusCode" in error && typeof error.statusCode === "number"
    ? error.statusCode
    : null;

/** Whether an error is a data error of the database: SQLSTATE class 22, such as a NUL in a text. */
const isDataError = (error: unknown): error is Error =>
  error instanceof Error && "code" in error && /^22\w{3}$/.test(String(error.code));

/** @returns null for an internal error, which is not shown to clients. */
export function refusalOf(error: unknown): ApiError | null {
  if (error instanceof ApiError) return error;
  if (error instanceof ConflictError) return new ApiError(409, error.message);
  if (error instanceof SpecError) {
    const issues = error.issues.map(({ code, path, message }) => ({ code, path, message }));
    return new ApiError(422, error.message, { extras: { issues } });
  }
  if (isConnectionError(error))
    return new ApiError(503, "the database is unreachable; try again", {
      headers: { "Retry-After": `${AGAIN_S}` },
    });
  if (isStorageError(error, "full")) return new ApiError(507, "the platform's disk is full");
  if (isDataError(error))
    return new ApiError(400, `a text in the request cannot be stored (${error.message})`);
  const status = statusOf(error);
  if (status !== null && status < 500 && error instanceof Error) return new ApiError(status, error.message);
  return null;
}
