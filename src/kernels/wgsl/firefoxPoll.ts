/**
 * Firefox looks whether the GPU is done only every 100 ms (bugzilla.mozilla.org/1870699): a wait takes about 103 ms
 * even on an empty queue, and about 1.4 ms when empty submits nudge it. Delete this file when Firefox itself answers in
 * milliseconds.
 */

/** Time between nudges. */
const NUDGE_MS = 1;

const isFirefox = (): boolean =>
  typeof navigator !== "undefined" && (navigator.userAgent ?? "").includes("Firefox/");

/** What `wait` gives, while the queue is nudged where that is needed. */
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
