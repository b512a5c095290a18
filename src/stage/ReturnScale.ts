/** The scale of return bars: one for all tiles, so that their lengths compare. */
export class ReturnScale {
  #least = 0;
  #most: number;

  /** @param threshold Return at which the task counts as solved; null when none is agreed on. */
  constructor(threshold: number | null) {
    this.#most = Math.max(0, threshold ?? 0);
    this.#least = Math.min(0, threshold ?? 0);
  }

  /** Takes in a return, of an episode that goes on too. */
  see(total: number): void {
    if (!Number.isFinite(total)) return;
    this.#least = Math.min(this.#least, total);
    this.#most = Math.max(this.#most, total);
  }

  /** Length of a bar, 0 to 1. */
  lengthOf(total: number): number {
    const span = this.#most - this.#least;
    if (span === 0 || !Number.isFinite(total)) return 0;
    return Math.min(1, Math.max(0, (total - this.#least) / span));
  }
}
