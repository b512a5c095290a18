/** The options of a job, and the stream that answers its submission. */
import { ANY_TEXT, COUNT, FUNCTION, type OptionRules, TEXT } from "../specs/checks.ts";
import { isMapping } from "../specs/messages.ts";
import { apiErrorOf, SUBMIT_PATH } from "./errors/apiErrorOf.ts";
import { StreamLine } from "./wire.ts";

/** Path of a file, or its content. */
export type RewardFile = string | Uint8Array;

/** Resources and names of a job. */
export interface JobOptions {
  /** Kind of machine, from `listResources` (default: the platform's choice). */
  readonly resource_id?: string | number | null;
  /** Number of machines for the population, from 1 (default: the platform's choice). */
  readonly num_nodes?: number | null;
  /** Defaults to the client's project. */
  readonly project?: string | null;
  /** Defaults to the platform's choice. */
  readonly experiment_name?: string | null;
  /** Reward module for a job on a reasoning data set: a file's path or its bytes, at most 256 KiB. */
  readonly reward_file?: RewardFile | null;
  /** A completion to test the reward module with; used only together with `reward_file`. */
  readonly completion?: string | null;
  /** Called with the platform's progress before it accepts the job. */
  readonly onEvent?: (event: SubmitEvent) => void;
}

const NUMBER_OR_TEXT = {
  allowed: "text that is not empty, or an integer",
  allows: (value: unknown) => TEXT.allows(value) || Number.isSafeInteger(value),
};

export const JOB_OPTIONS: OptionRules = {
  resource_id: NUMBER_OR_TEXT,
  num_nodes: COUNT,
  project: TEXT,
  experiment_name: TEXT,
  reward_file: {
    allowed: "a file's path, or its bytes (Uint8Array)",
    allows: (value) => TEXT.allows(value) || value instanceof Uint8Array,
  },
  completion: ANY_TEXT,
  onEvent: FUNCTION,
};

/** Progress event of a submission. */
export type SubmitEvent =
  | {
      readonly kind: "status";
      /** "validating", "queued", "completed", ... */
      readonly status: string;
      readonly stage: string | null;
      readonly message: string;
      readonly detail: Readonly<Record<string, unknown>>;
    }
  | {
      readonly kind: "error";
      readonly message: string;
      readonly error_code: string | null;
      readonly extras: Readonly<Record<string, unknown>>;
    }
  | {
      readonly kind: "check";
      readonly name: string;
      readonly success: boolean;
      readonly warnings: readonly unknown[];
      readonly error: string | null;
    }
  | { readonly kind: "log"; readonly message: string };

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const textOr = (value: unknown, fallback: string): string => (typeof value === "string" ? value : fallback);

/** Parses a line. Unknown kinds, and lines that are not JSON, become log messages. */
export function submitEventOf(line: string): SubmitEvent {
  const read = StreamLine.safeParse(parsed(line));
  if (!read.success) return { kind: "log", message: line };
  const { kind, stage = null, status, message, detail } = read.data;
  if (kind === "check") return checkOf(detail ?? {});
  if (kind !== "status" && kind !== "warning") return { kind: "log", message: message ?? line };
  if (status === "failed") {
    const { error_code, ...extras } = detail ?? {};
    const code = typeof error_code === "string" ? error_code : null;
    return { kind: "error", message: message ?? "", error_code: code, extras };
  }
  return { kind: "status", status: status ?? kind, stage, message: message ?? "", detail: detail ?? {} };
}

function checkOf({ check, result }: Readonly<Record<string, unknown>>): SubmitEvent {
  const { success, warnings, error } = isMapping(result) ? result : {};
  return {
    kind: "check",
    name: textOr(check, ""),
    success: success === true,
    warnings: Array.isArray(warnings) ? warnings : [],
    error: typeof error === "string" ? error : null,
  };
}

/**
 * Reads a stream to its end.
 * @returns `detail` of the last "completed" event that has one. Without such an event, the whole body if it
 *   is one JSON object, else {}.
 * @throws RemoteTrainingError or RemoteEnvironmentNotFoundError for the first event with status "failed".
 * @internal
 */
export async function collectSubmission(
  lines: AsyncIterable<string>,
  onEvent: (event: SubmitEvent) => void,
): Promise<Record<string, unknown>> {
  const body: string[] = [];
  let completed: Record<string, unknown> | null = null;
  for await (const line of lines) {
    if (line.trim() === "") continue;
    body.push(line);
    const event = submitEventOf(line);
    onEvent(event);
    if (event.kind === "error") {
      const { message: detail, error_code, extras } = event;
      throw apiErrorOf({ path: SUBMIT_PATH, status_code: 200, detail, extras, error_code });
    }
    if (event.kind === "status" && event.status === "completed" && Object.keys(event.detail).length > 0)
      completed = { ...event.detail };
  }
  if (completed) return completed;
  const whole = parsed(body.join("\n"));
  if (!isMapping(whole)) return {};
  return whole.ok === true && isMapping(whole.data) ? whole.data : whole;
}
