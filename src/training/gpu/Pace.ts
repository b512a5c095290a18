/** Chooses the amount of work of a dispatch from the measured time of previous work. */

/** Initial rate: units of work per millisecond on the slowest devices. */
const FIRST_RATE = 4;
/** Maximum growth of the rate per measurement, because a measurement of little work is unreliable. */
const GROWTH = 8;

export class Pace {
  #rate = FIRST_RATE;
  #settled = false;

  /** Whether the last measured rate was at most twice the expected one. */
  get settled(): boolean {
    return this.#settled;
  }

  /** Estimated units of work in `ms` milliseconds, at least 1. */
  units(ms: number): number {
    return Math.max(1, Math.floor(this.#rate * ms));
  }

  /** Records that `units` of work took `ms` milliseconds. */
  note(units: number, ms: number): void {
    const found = units / Math.max(ms, 0.01);
    this.#settled = found <= 2 * this.#rate;
    this.#rate = Math.min(found, GROWTH * this.#rate);
  }
}
