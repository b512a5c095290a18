/**
 * Firefox checks only every 100 ms whether the GPU is done (bugzilla.mozilla.org/1870699): a wait takes about
 * 103 ms even on an empty queue, and about 1.4 ms when empty submits nudge it. Delete this file when Firefox
 * itself responds within milliseconds.
 */

/** Time between nudges. */
const NUDGE_MS = 1;

const isFirefox = (): boolean =>
  typeof navigator !== "undefined" && (navigator.userAgent ?? "").includes("Firefox/");

/** Returns the result of `wait` and nudges the queue in the meantime if needed. */
export async function nudged<T>(
  queue: Pick<GPUQueue, "submit">,
  wait: Promise<T>,
  needed: boolean = isFirefox(),
): Promise<T> {
  if (!needed) return await wait;
  const timer = setInterval(() => queue.submit([]), NUDGE_MS);
  try {
    return await wait;
  } finally {
    clearInterval(timer);
  }
}
