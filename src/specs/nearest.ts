import { editDistance } from "./editDistance.ts";

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
