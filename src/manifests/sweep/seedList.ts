/** Lists of seeds, such as 1..10. */
import { SpecError, type SpecIssue } from "../../specs/checks.ts";
import { show } from "../../specs/messages.ts";
import { tooManyRuns } from "./settings.ts";

const ALLOWED = "a range such as 1..10, or a list of integers from 0 such as [1, 2, 5], each once";

const isSeed = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

/** First and last number of a range such as "1..10"; null for other texts. */
function rangeOf(text: string): readonly [first: number, last: number] | null {
  const [, first, last] = /^\s*(\d+)\.\.(\d+)\s*$/.exec(text) ?? [];
  return first === undefined ? null : [Number(first), Number(last)];
}

/**
 * The seeds that "1..10", "1,2,5" or a list names.
 * @param path Name of the place in messages.
 * @throws SpecError for anything else, and for more seeds than a sweep may have runs.
 */
export function seedList(found: unknown, path = "seeds"): readonly number[] {
  const refuse = (code: SpecIssue["code"], message: string): never => {
    throw new SpecError([{ code, path, segments: [path], message, found, allowed: ALLOWED }], "sweep");
  };
  const range = typeof found === "string" ? rangeOf(found) : null;
  let listed = found;
  if (range) {
    const length = range[1] - range[0] + 1;
    const problem = tooManyRuns(length);
    if (problem !== null) return refuse("range", problem);
    listed = Array.from({ length: Math.max(0, length) }, (_, i) => range[0] + i);
  } else if (typeof found === "string" && /^[\d\s,]+$/.test(found)) listed = found.split(",").map(Number);
  if (!Array.isArray(listed) || listed.length === 0)
    return refuse("type", `found ${show(found)}; allowed ${ALLOWED}`);
  const wrong = listed.findIndex((seed, at) => !isSeed(seed) || listed.indexOf(seed) < at);
  if (wrong >= 0) return refuse("value", `found ${show(listed[wrong])}; allowed ${ALLOWED}`);
  return listed;
}
