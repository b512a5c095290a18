import type { FetchProgress } from "../protocol/data.ts";

/** Milliseconds between two words of a download's progress. */
const TELL_EVERY = 100;

/** Passes on how far a download is a few times a second, and always its beginning and its end. */
export function calmProgress(tell: (progress: FetchProgress) => void): (progress: FetchProgress) => void {
  let told = Number.NEGATIVE_INFINITY;
  return ({ received, total }) => {
    const now = performance.now();
    if (now - told < TELL_EVERY && received !== total) return;
    told = now;
    tell({ received, total });
  };
}
