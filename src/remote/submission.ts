/** Reads the stream that answers a submission to its end. */
import { isMapping } from "../specs/messages.ts";
import { apiErrorOf, SUBMIT_PATH } from "./errors/apiErrorOf.ts";
import { StreamLine } from "./wire.ts";

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
