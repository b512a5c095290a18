/** A rate limit per caller: at most `most` actions in a window that begins with the first action. */
import { ApiError } from "./ApiError.ts";

interface RateLimitOptions {
  readonly most: number;
  readonly window_s: number;
  /** Current time in milliseconds. Default: the system clock. */
  readonly now?: () => number;
}

interface Window {
  /** Milliseconds. */
  readonly end: number;
  count: number;
}

/** Number of windows at which expired ones are dropped. */
const MANY = 10_000;

export class RateLimit {
  readonly #options: RateLimitOptions;
  readonly #now: () => number;
  readonly #windows = new Map<string, Window>();

  constructor(options: RateLimitOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** @throws ApiError 429 with `Retry-After` if the caller has reached the limit. */
  check(who: string, what: string): void {
    const window = this.#windows.get(who);
    if (!window || window.end <= this.#now() || window.count < this.#options.most) return;
    const wait = Math.max(1, Math.ceil((window.end - this.#now()) / 1000));
    throw new ApiError(
      429,
      `too many ${what}: allowed ${this.#options.most} in ${this.#options.window_s} s`,
      {
        headers: { "Retry-After": `${wait}` },
      },
    );
  }

  /** Counts one action. */
  count(who: string): void {
    const now = this.#now();
    const window = this.#windows.get(who);
    if (window && window.end > now) {
      window.count += 1;
      return;
    }
    if (this.#windows.size >= MANY) this.#drop(now);
    this.#windows.set(who, { end: now + 1000 * this.#options.window_s, count: 1 });
  }

  #drop(now: number): void {
    for (const [who, { end }] of this.#windows) if (end <= now) this.#windows.delete(who);
  }
}
