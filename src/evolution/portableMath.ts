/** Logarithm, exponential and power in plain f64 arithmetic: engines' own differ in their last bits. */

/**
 * Natural logarithm. x = m 2^e with m in [1/sqrt 2, sqrt 2); log m = 2 artanh s with s = (m - 1) / (m + 1),
 * |s| < 0.172.
 */
export function logarithm(x: number): number {
  // No power of two brings these to m.
  if (!(x > 0)) return x === 0 ? -Infinity : Number.NaN;
  if (x === Infinity) return x;
  let [mantissa, exponent] = [x, 0];
  for (; mantissa >= Math.SQRT2; exponent++) mantissa /= 2;
  for (; mantissa < Math.SQRT1_2; exponent--) mantissa *= 2;
  const s = (mantissa - 1) / (mantissa + 1);
  let series = 0;
  for (let power = 21; power >= 1; power -= 2) series = series * s * s + 1 / power;
  return 2 * s * series + exponent * Math.LN2;
}

/** Bounds outside of which exp(x) is infinity or 0 in f64. */
const [LEAST, MOST] = [-745.14, 709.79];

/** exp(x) = 2^n exp(r) with |r| <= ln 2 / 2, where the series ends after 13 terms. */
export function exponential(x: number): number {
  if (x > MOST) return Infinity;
  if (x < LEAST) return 0;
  const n = Math.round(x / Math.LN2);
  const r = x - n * Math.LN2;
  let value = 1;
  for (let term = 13; term >= 1; term--) value = 1 + (value * r) / term;
  for (let i = 0; i < n; i++) value *= 2;
  for (let i = 0; i > n; i--) value /= 2;
  return value;
}

/** x^y for 0 <= x < infinity; relative error about 1e-15 (1 + |y log x|). */
export function power(x: number, y: number): number {
  if (y === 0) return 1;
  if (x === 0) return y > 0 ? 0 : Infinity;
  return exponential(y * logarithm(x));
}

/** From `low` at u = 0 to `high` at u = 1 by equal factors, for positive ends. */
export function geometric(low: number, high: number, u: number): number {
  const ratio = high / low;
  // Ends may be further apart than any double is large.
  return ratio > 0 && ratio < Infinity ? low * power(ratio, u) : power(low, 1 - u) * power(high, u);
}
