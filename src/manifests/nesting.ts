/** The limit on nested values in a manifest: code that walks deeper values could exhaust the stack. */
import { dottedPath, isPlain, type SpecIssue } from "../specs/checks.ts";

/** Maximum number of values open at once. */
export const MOST_NESTED = 100;

/** What is wrong with values nested too deeply. */
export const TOO_DEEP = `found values nested more than ${MOST_NESTED} levels deep; a manifest may have at most ${MOST_NESTED}`;

const isNested = (value: unknown): value is object =>
  typeof value === "object" && value !== null && (Array.isArray(value) || isPlain(value));

/** The issue of an object that is nested too deeply or contains itself; null for other values. */
export function nestingIssue(input: unknown): SpecIssue | null {
  const open = [{ value: input, depth: 1, path: [] as readonly string[] }];
  /** The greatest depth at which each object was found, so that shared objects are not walked again and again. */
  const walked = new Map<object, number>();
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth, path } = next;
    if (!isNested(value) || (walked.get(value) ?? 0) >= depth) continue;
    if (depth > MOST_NESTED) {
      const message = walked.has(value) ? `${TOO_DEEP}; does a value contain itself?` : TOO_DEEP;
      return { code: "rule", path: dottedPath(path), segments: [...path], message };
    }
    walked.set(value, depth);
    for (const [key, entry] of Object.entries(value))
      open.push({ value: entry, depth: depth + 1, path: path.length < 2 ? [...path, key] : path });
  }
  return null;
}
