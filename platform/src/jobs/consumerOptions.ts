/** Options that all consumers of queues share. */

/** Checks for expired locks per lock duration. */
const LOOKS = 4;

/** Number of times a job may lose its worker before it fails. */
const MOST_STALLED = 5;

/** Milliseconds until a failed queue is retried. */
const AGAIN_MS = 1000;

/** @param lock_ms Milliseconds without a heartbeat after which a worker loses its job. */
export const consumerOptions = (lock_ms: number) => ({
  lockDuration: lock_ms,
  stalledInterval: Math.ceil(lock_ms / LOOKS),
  maxStalledCount: MOST_STALLED,
  runRetryDelay: AGAIN_MS,
});
