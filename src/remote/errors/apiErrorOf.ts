/** Maps an error response to an error class, by its path and content. */

import { isMapping, shorten } from "../../specs/messages.ts";
import {
  RemoteApiError,
  RemoteAuthError,
  RemoteEnvironmentNotFoundError,
  type RemoteError,
  RemoteTrainingError,
  RemoteValidationError,
} from "./RemoteError.ts";

/**
 * Content of an error response. Servers and proxies send JSON, lines of JSON, JSON
 * inside a string, or plain text.
 */
interface ErrorBody {
  /** "" if the body has no message. */
  readonly detail: string;
  /** The other keys of the body. */
  readonly extras: Readonly<Record<string, unknown>>;
}

/** Keys that may hold the message; the first one present is used. */
const TEXT_KEYS = ["description", "message", "detail", "error"] as const;
const MOST_TEXT = 500;
/** URLs inside the platform's own network, which are useless to a caller. */
const INTERNAL = /https?:\/\/[\w.-]+\.(?:svc|internal|cluster\.local)\b\S*/i;

export const parseErrorBody = (text: string): ErrorBody => bodyOf(decode(text));

/** Like `parseErrorBody`, for an object such as a stream event. */
export function bodyOf(value: unknown): ErrorBody {
  if (!isMapping(value)) return { detail: textOf(value), extras: {} };
  const key = TEXT_KEYS.find((name) => value[name] !== undefined && value[name] !== null);
  const { ok: _, [key ?? ""]: said, ...extras } = value;
  if (!isMapping(said)) return { detail: textOf(said), extras };
  const inner = bodyOf(said);
  return { detail: inner.detail, extras: { ...extras, ...inner.extras } };
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  const text = typeof value === "string" ? value.trim() : JSON.stringify(value);
  if (INTERNAL.test(text)) return "a service inside the platform failed; try again later";
  return shorten(text, MOST_TEXT);
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The text as JSON; else the last JSON object among its lines; else the text itself. */
function decode(text: string): unknown {
  const whole = parsed(text);
  if (typeof whole === "string") return parsed(whole) ?? whole;
  if (whole !== undefined) return whole;
  const objects = text.split("\n").map(parsed).filter(isMapping);
  return objects.at(-1) ?? text;
}

export const SUBMIT_PATH = "/api/cli/v1/experiments/jobs/submit";

/** Paths that validate the data they receive. */
const VALIDATING: readonly string[] = [
  "/api/cli/v1/environments/create-and-validate",
  "/api/cli/v1/environments/validate",
  "/api/cli/v1/environments/profile",
  "/api/cli/v1/datasets/create",
];

interface Refusal extends ErrorBody {
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
