/** Maps an error response to an error class, by its path and content. */
import type { ErrorBody } from "./errorBody.ts";
import {
  RemoteApiError,
  RemoteAuthError,
  RemoteEnvironmentNotFoundError,
  type RemoteError,
  RemoteTrainingError,
  RemoteValidationError,
} from "./RemoteError.ts";

export const SUBMIT_PATH = "/api/cli/v1/experiments/jobs/submit";

/** Paths that validate the data they receive. */
const VALIDATING: readonly string[] = [
  "/api/cli/v1/environments/create-and-validate",
  "/api/cli/v1/environments/validate",
  "/api/cli/v1/environments/profile",
  "/api/cli/v1/datasets/create",
];

export interface Refusal extends ErrorBody {
  readonly path: string;
  readonly status_code: number;
  /** The error code, if it is not in `extras`; `null` for none. */
  readonly error_code?: string | null;
}

export function apiErrorOf({ path, status_code, extras, error_code, ...said }: Refusal): RemoteError {
  const detail = said.detail || `the platform answered ${status_code} without a reason`;
  if (status_code === 401)
    return new RemoteAuthError(
      `The platform refuses the key (401): ${detail}\nGive another one as api_key, or set RLKIT_API_KEY.`,
    );
  const facts = {
    detail,
    status_code,
    extras,
    hint: hintOf({ ...extras, ...(error_code && { error_code }) }),
  };
  if (VALIDATING.includes(path)) return new RemoteValidationError(facts);
  if (path !== SUBMIT_PATH) return new RemoteApiError(facts);
  return /environment/i.test(detail) && /not found/i.test(detail)
    ? new RemoteEnvironmentNotFoundError(facts)
    : new RemoteTrainingError(facts);
}

function hintOf({ error_code, available_entrypoints, retry_after }: ErrorBody["extras"]): string | null {
  if (error_code === "AMBIGUOUS_ENTRYPOINT" && Array.isArray(available_entrypoints))
    return `Choose one as environment.entrypoint: ${available_entrypoints.join(", ")}.`;
  return typeof retry_after === "number" ? `Try again in ${retry_after} s.` : null;
}
