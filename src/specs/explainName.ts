import { isMapping } from "./isMapping.ts";
import { nearest } from "./nearest.ts";
import type { SpecIssue } from "./SpecError.ts";

/** An issue without its place. */
export type NamedProblem = Omit<SpecIssue, "path" | "segments">;

/** Explains a name that is not available: unknown, or known to the format but not to this build. */
export function explainName(
  what: string,
  found: unknown,
  available: readonly string[],
  known: readonly string[],
): NamedProblem {
  const allowed = available.join(", ");
  if (typeof found === "string" && known.includes(found)) {
    const message = unsupportedMessage(what, found, available);
    return { code: "unsupported", message, found, allowed };
  }
  const suggestion = typeof found === "string" ? nearest(found, [...available, ...known]) : undefined;
  if (found === undefined) {
    return { code: "missing", message: `missing; available: ${allowed}`, found, allowed };
  }
  const message = `unknown ${what} ${show(found)}${meant(suggestion)}; available: ${allowed}`;
  return {
    code: "value",
    message,
    found,
    allowed,
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

/** A value formatted for messages: short, with strings quoted. */
export function show(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "bigint") return `${value}`;
  if (typeof value === "number") return String(value);
  if (isMapping(value)) return "a mapping";
  if (Array.isArray(value) && (value.length > 8 || value.some((item) => typeof item === "object"))) {
    return `a list of ${value.length} items`;
  }
  if (typeof value === "function" || typeof value === "symbol") return `a ${typeof value}`;
  const text = JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? `${part}` : part));
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

/** The question after a name that is close to a known one. */
export function meant(suggestion: string | undefined): string {
  return suggestion === undefined ? "" : `; did you mean "${suggestion}"?`;
}

/** The message for a name that the format knows but this build lacks. */
export function unsupportedMessage(what: string, name: string, available: readonly string[]): string {
  return `${what} "${name}" is known to the format but not yet supported by this build; available: ${available.join(", ")}`;
}
