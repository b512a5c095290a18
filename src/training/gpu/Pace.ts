/** How much work a dispatch is given, from the time that work took before. */

/** Units of work in a millisecond that the slowest devices manage. */
const FIRST_RATE = 4;
/** A rate that was measured on little work is not trusted beyond this factor. */
const GROWTH = 8;

export class Pace {
  #rate = FIRST_RATE;
  #settled = false;

  /** Whether the last measurement found about what was expected. */
  get settled(): boolean {
    return this.#settled;
  }

  /** Units of work that take so many milliseconds: at least 1. */
  units(ms: number): number {
    return Math.max(1, Math.floor(this.#rate * ms));
  }

  /** Learns that so many units took so many milliseconds. */
  note(units: number, ms: number): void {
    const found = units / Math.max(ms, 0.01);
    this.#settled = found <= 2 * this.#rate;
    this.#rate = Math.min(found, GROWTH * this.#rate);
  }
}
