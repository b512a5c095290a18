import type { FetchProgress } from "../protocol/data.ts";

/** Minimum milliseconds between two progress reports of a download. */
const TELL_EVERY = 100;

/** Limits a download's progress reports to a few per second; the first and the last are always passed on. */
export function calmProgress(tell: (progress: FetchProgress) => void): (progress: FetchProgress) => void {
  let told = Number.NEGATIVE_INFINITY;
  return ({ received, total }) => {
    const now = performance.now();
    if (now - told < TELL_EVERY && received !== total) return;
    told = now;
    tell({ received, total });
  };
}
