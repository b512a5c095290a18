/** How every consumer of a queue holds its jobs. */

/** Looks for lost locks in each lock time. */
const LOOKS = 4;

/** Times that a job may lose its worker before it is given up. */
const MOST_STALLED = 5;

/** Milliseconds until a queue that failed is asked again. */
const AGAIN_MS = 1000;

/** @param lock_ms Milliseconds after which a worker that gave no sign of life loses its job. */
export const consumerOptions = (lock_ms: number) => ({
  lockDuration: lock_ms,
  stalledInterval: Math.ceil(lock_ms / LOOKS),
  maxStalledCount: MOST_STALLED,
  runRetryDelay: AGAIN_MS,
});
