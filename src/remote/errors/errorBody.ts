/**
 * Content of an error response. Servers and proxies send JSON, lines of JSON, JSON
 * inside a string, or plain text.
 */
import { isMapping, shorten } from "../../specs/messages.ts";

export interface ErrorBody {
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
