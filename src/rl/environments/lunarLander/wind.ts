/** LunarLander's wind: tanh of a sum of two sines without a common period, times its power. */

/** Strength in [-power, power] at a step of the wind's own step count. */
export const gust = (step: number, power: number): number =>
  power * tanh(sine(0.02 * step) + sine(Math.PI * 0.01 * step));

const TURN = 2 * Math.PI;
const SINE_TERMS = 12;
const TANH_TERMS = 16;

/** Sine in plain arithmetic for |x| up to 1,000: Taylor series without whole turns; error below 1e-12. */
export function sine(x: number): number {
  const angle = x - TURN * Math.round(x / TURN);
  let [term, sum] = [angle, angle];
  for (let k = 1; k <= SINE_TERMS; k++) {
    term *= (-angle * angle) / (2 * k * (2 * k + 1));
    sum += term;
  }
  return sum;
}

/**
 * Hyperbolic tangent in plain arithmetic for |x| up to 3: Lambert's continued fraction; error below 1e-12.
 */
export function tanh(x: number): number {
  let denominator = 2 * TANH_TERMS + 1;
  for (let k = TANH_TERMS; k >= 1; k--) denominator = 2 * k - 1 + (x * x) / denominator;
  return x / denominator;
}
