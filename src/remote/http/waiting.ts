/** Waiting for a server that has too much to do. */

/**
 * The seconds that a server asks to wait, from the header Retry-After. A date, which that header may have too, is
 * ignored, because the clocks of the two machines may differ.
 */
export function retryAfter(headers: Headers): number | null {
  const text = headers.get("Retry-After") ?? "";
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

/** Resolves after some seconds. @throws the signal's reason when it aborts. */
export function waited(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", end);
      resolve();
    }, 1000 * seconds);
    signal.addEventListener("abort", end, { once: true });
  });
}
