/** Names in messages: which known one is near, and what to say of one that is not available. */
import { editDistance } from "./editDistance.ts";
import { isMapping } from "./plain.ts";
import type { SpecIssue } from "./SpecError.ts";

/** Longest name that is compared; no known name is near a longer one. */
const LONGEST_NAME = 100;

const bare = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

/**
 * The candidate nearest to `name`, ignoring case and separators; `undefined` when none is near enough (about
 * one edit for every three letters) to be a likely typo, and for names of more than 100 characters.
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > LONGEST_NAME) return undefined;
  const wanted = bare(name);
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    const other = bare(candidate);
    // Names are at least as many edits apart as their lengths differ.
    if (Math.abs(other.length - wanted.length) >= bestDistance) continue;
    const distance = editDistance(wanted, other);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/**
 * The candidates nearest to `name`, best first, however far they are: first those that contain it, then by
 * edits. None for names of more than 100 characters.
 */
export function nearestNames(name: string, candidates: readonly string[], count: number): string[] {
  if (name.length > LONGEST_NAME) return [];
  const wanted = bare(name);
  // A part of a name, such as "lander", is meant more likely than a short name of a similar length.
  const distance = (candidate: string): number =>
    editDistance(wanted, bare(candidate)) - (bare(candidate).includes(wanted) ? LONGEST_NAME : 0);
  return candidates
    .map((candidate) => ({ candidate, edits: distance(candidate) }))
    .sort((a, b) => a.edits - b.edits)
    .slice(0, count)
    .map(({ candidate }) => candidate);
}

/** An issue without its place. */
export type NamedProblem = Omit<SpecIssue, "path" | "segments">;

/** Lists of up to this many names are shown in full. */
const MOST_LISTED = 8;

/** For each kind of name, the kind as `rlkit list` knows it. */
export const LISTED_KINDS = {
  environment: "environments",
  algorithm: "algorithms",
  architecture: "architectures",
} as const;

/** Where all names of a kind are listed. */
function listedBy(what: string): string {
  const kind = Object.entries(LISTED_KINDS).find(([name]) => name === what)?.[1];
  return kind === undefined ? "" : `\`rlkit list ${kind}\`, or the field's list in the workbench`;
}

/** Names for a sentence about an unknown one. */
interface Alternatives {
  /** Names that may have been meant. */
  readonly names: readonly string[];
  /** Where all of them are listed (default: by the command and the workbench, for the kinds that they list). */
  readonly listed?: string;
}

/**
 * The end of a sentence about an unknown name: whether a near one was meant, then all names if they are few, or else
 * the nearest three and where all are listed.
 */
export function alternatives(
  what: string,
  found: unknown,
  { names, listed = listedBy(what) }: Alternatives,
): string {
  const suggestion = typeof found === "string" ? nearest(found, names) : undefined;
  const start = suggestion === undefined ? ";" : meant(suggestion);
  const word = (lower: string): string =>
    suggestion === undefined ? lower : `${lower.charAt(0).toUpperCase()}${lower.slice(1)}`;
  if (names.length <= MOST_LISTED || listed === "")
    return `${start} ${word("available")}: ${names.join(", ")}`;
  const near = typeof found === "string" ? nearestNames(found, names, 3) : [];
  const all = `all ${names.length}: ${listed}`;
  return near.length === 0
    ? `${start} ${word(all)}`
    : `${start} ${word("nearest")}: ${near.join(", ")}; ${all}`;
}

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
    return {
      code: "missing",
      message: `missing${alternatives(what, found, { names: available })}`,
      found,
      allowed,
    };
  }
  const message = `unknown ${what} ${show(found)}${alternatives(what, found, { names: available })}`;
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
