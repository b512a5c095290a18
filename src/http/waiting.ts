/** Time limits, and pauses before a request is sent again. */

/** Resolves after `milliseconds`, or when `signal` is aborted. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener("abort", end);
  });
}

/**
 * The seconds that a server asks to wait, from the header Retry-After. A date, which that header may have too, is
 * ignored, because the clocks of the two machines may differ.
 */
export function retryAfter(headers: { get(name: string): string | null }): number | null {
  const text = headers.get("Retry-After") ?? "";
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

/** First pause before another attempt, ms. */
const FIRST_PAUSE = 1000;

/** Pauses between failed attempts: each twice as long, and random, so that many clients do not return at once. */
export class Backoff {
  readonly #longest: number;
  #next = FIRST_PAUSE;

  /** @param longest in milliseconds */
  constructor(longest: number) {
    this.#longest = longest;
  }

  /** Called while the server responds. */
  reset(): void {
    this.#next = FIRST_PAUSE;
  }

  /** The pause after one more failure, in milliseconds. */
  next(): number {
    const milliseconds = this.#next * (0.5 + Math.random() / 2);
    this.#next = Math.min(2 * this.#next, this.#longest);
    return milliseconds;
  }
}

/** What happens when nothing arrives within a time limit. */
export interface Silence {
  readonly seconds: number;
  readonly error: (seconds: number) => Error;
  /** Closes the connection. */
  readonly end: () => void;
}

/** Waits for what comes. @throws the error of the silence if it comes too late. */
export async function inTime<T>(coming: Promise<T>, { seconds, error, end }: Silence): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      // In this order: closing the connection fails what is waited for.
      reject(error(seconds));
      end();
    }, seconds * 1000);
  });
  try {
    return await Promise.race([coming, late]);
  } finally {
    clearTimeout(timer);
  }
}
