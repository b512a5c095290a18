/** What a refusal's body says. Servers and proxies send JSON, lines of JSON, JSON in a text, or plain text. */
import { isMapping } from "../../specs/isMapping.ts";
import { shorten } from "../../specs/shorten.ts";

export interface ErrorBody {
  /** "" for a body that says nothing. */
  readonly detail: string;
  /** Its other keys. */
  readonly extras: Readonly<Record<string, unknown>>;
}

/** Keys that may hold the text, the first one that is there counts. */
const TEXT_KEYS = ["description", "message", "detail", "error"] as const;
const MOST_TEXT = 500;
/** Addresses inside the platform's own network, which tell a caller nothing. */
const INTERNAL = /https?:\/\/[\w.-]+\.(?:svc|internal|cluster\.local)\b\S*/i;

export const parseErrorBody = (text: string): ErrorBody => bodyOf(decode(text));

/** The same of an object, such as an event of a stream. */
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

/** The text's JSON, the last object of its lines, or the text itself. */
function decode(text: string): unknown {
  const whole = parsed(text);
  if (typeof whole === "string") return parsed(whole) ?? whole;
  if (whole !== undefined) return whole;
  const objects = text.split("\n").map(parsed).filter(isMapping);
  return objects.at(-1) ?? text;
}
