/**
 * Calls a function when the page is idle, or after 200 ms if the browser has no `requestIdleCallback`.
 * @returns a function that cancels it
 */
export function whenIdle(act: () => void): () => void {
  if (typeof requestIdleCallback !== "function") {
    const timer = setTimeout(act, 200);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(act);
  return () => cancelIdleCallback(handle);
}
