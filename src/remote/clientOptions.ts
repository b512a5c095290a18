/** Options of a client of the remote platform. */
import { environmentVariable, isKey, requireAddress } from "../http/access.ts";
import { ANY, checkOptions, FieldError, type OptionRule, type OptionRules, TEXT } from "../specs/checks.ts";
import { reasonOf } from "../storage/files.ts";
import { RemoteAuthError, RemoteConfigError } from "./errors/RemoteError.ts";

/** Settings of the HTTP requests to the platform. */
export interface RemoteHttpOptions {
  /** Address that paths are appended to, without a trailing slash. */
  readonly base_url: string;
  /** `null` for no key; then every request is rejected before it is sent. */
  readonly api_key: string | null;
  /** In seconds. */
  readonly request_timeout: number;
  /** In seconds. */
  readonly upload_timeout: number;
}

export interface RemoteClientOptions {
  /** Key of the platform (default: RLKIT_API_KEY). */
  readonly api_key?: string | null;
  /** Address of the platform. Defaults to RLKIT_BASE_URL, then "http://127.0.0.1:8400". */
  readonly base_url?: string | null;
  /**
   * Time limit for a response in seconds (default: 30). Downloads may take longer, but not pause for longer.
   * Streams have no limit on their total duration.
   */
  readonly request_timeout?: number;
  /** Seconds within which the response to a submission, or an event stream, must start (default: 300). */
  readonly upload_timeout?: number;
  /** Default project of jobs and lists (default: none). */
  readonly project?: string | null;
}

const LOCAL = "http://127.0.0.1:8400";
/** Upper bound on a timeout, near the longest that a timer supports. */
const MOST_SECONDS = 2_000_000;

const SECONDS: OptionRule = {
  allowed: `numbers above 0, at most ${MOST_SECONDS} (seconds)`,
  allows: (value) => typeof value === "number" && value > 0 && value <= MOST_SECONDS,
};

const OPTIONS: OptionRules = {
  // Checked by `keyOf`, so that no message contains the secret value.
  api_key: ANY,
  base_url: TEXT,
  request_timeout: SECONDS,
  upload_timeout: SECONDS,
  project: TEXT,
};

/**
 * @throws TypeError and RangeError for invalid options; RemoteAuthError for a key
 *   that is not valid in a header;
 * RemoteConfigError for an invalid address.
 */
export function httpOptions(options: RemoteClientOptions, positional: readonly unknown[]): RemoteHttpOptions {
  checkOptions("RemoteClient", options, OPTIONS, { example: '{ api_key: "rk_..." }', positional });
  const { api_key, base_url, request_timeout, upload_timeout } = options;
  return {
    api_key: keyOf(api_key ?? null),
    base_url: addressOf(base_url ?? null),
    request_timeout: request_timeout ?? 30,
    upload_timeout: upload_timeout ?? 300,
  };
}

function keyOf(given: unknown): string | null {
  if (given !== null && typeof given !== "string")
    throw new TypeError(`RemoteClient: api_key: found a ${typeof given}, allowed text`);
  const key = given ?? environmentVariable("RLKIT_API_KEY");
  if (key === null || isKey(key)) return key;
  const cause = new FieldError(
    "api_key",
    "is empty, or contains spaces, line breaks or other characters that keys do not have; pass only the key",
  );
  throw new RemoteAuthError(cause.message, { cause });
}

function addressOf(given: string | null): string {
  const place = given === null ? "RLKIT_BASE_URL" : "base_url";
  try {
    return requireAddress(given ?? environmentVariable("RLKIT_BASE_URL") ?? LOCAL, place);
  } catch (error) {
    throw new RemoteConfigError(reasonOf(error), { cause: error });
  }
}
