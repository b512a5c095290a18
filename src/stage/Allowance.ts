/** Time that playing may take beside training: it comes as the clock runs, and is spent by working. */

/** Most that is saved up, so that a rest is not followed by a rush, ms. */
const MOST = 50;

/** Most that one spending counts: a longer one was mostly waiting for a busy processor, ms. */
const DEAREST = 50;

export class Allowance {
  /** Part of the time, 0 to 1. */
  share: number;
  #left = MOST;

  constructor(share: number) {
    this.share = share;
  }

  /** Milliseconds that may be worked now; none where it is not above 0. */
  get left(): number {
    return this.#left;
  }

  /** So many milliseconds went by. */
  earn(milliseconds: number): void {
    this.#left = Math.min(MOST, this.#left + milliseconds * this.share);
  }

  /** Work took so many; what was spent beyond the allowance is waited for. */
  spend(milliseconds: number): void {
    this.#left -= Math.min(DEAREST, milliseconds);
  }
}
