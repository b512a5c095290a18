/** A slider over the range of a hyperparameter. */
import { type Range, suitsLog } from "../../../series/hyperparameterRanges.ts";

/** Positions of the slider, without the first. */
export const SLIDER_STEPS = 200;

/** Significant digits of a value that a slider chooses. */
const DIGITS = 3;

/** The slider's position for a value, 0 to {@link SLIDER_STEPS}; logarithmic where the range is wide. */
export function placeInRange(value: number, range: Range): number {
  const { min, max } = range;
  if (!(max > min)) return 0;
  const held = Math.min(Math.max(value, min), max);
  const share = suitsLog(range) ? Math.log(held / min) / Math.log(max / min) : (held - min) / (max - min);
  return Number.isNaN(share) ? 0 : Math.round(share * SLIDER_STEPS);
}

/** The value at a position: whole where both ends and `now` are whole, else of three significant digits. */
export function valueAtPlace(place: number, range: Range, now: number): number {
  const { min, max } = range;
  const share = place / SLIDER_STEPS;
  const exact = suitsLog(range) ? min * (max / min) ** share : min + share * (max - min);
  const value = [min, max, now].every(Number.isInteger)
    ? Math.round(exact)
    : Number(exact.toPrecision(DIGITS));
  return Math.min(Math.max(value, min), max);
}
