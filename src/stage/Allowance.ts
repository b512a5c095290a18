/** Time budget for playing beside training: it grows with the clock and shrinks with work. */

/** Maximum saved budget, so that a pause is not followed by a burst, ms. */
const MOST = 50;

/** Maximum cost of one piece of work, ms. A longer one mostly waited for a busy processor. */
const DEAREST = 50;

export class Allowance {
  /** Fraction of the time that may be used, 0 to 1. */
  share: number;
  #left = MOST;

  constructor(share: number) {
    this.share = share;
  }

  /** Milliseconds of work allowed now; none at 0 or below. */
  get left(): number {
    return this.#left;
  }

  /** Adds the share of the elapsed milliseconds. */
  earn(milliseconds: number): void {
    this.#left = Math.min(MOST, this.#left + milliseconds * this.share);
  }

  /** Subtracts working time. Time beyond the allowance has to be earned before more work. */
  spend(milliseconds: number): void {
    this.#left -= Math.min(DEAREST, milliseconds);
  }
}
