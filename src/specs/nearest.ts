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
