/** Sine and cosine in plain f64 arithmetic: engines' own differ in their last bits. */

/** pi / 2 in three parts; products of the first two with whole numbers below 2^20 are exact. */
const HALF_PI = [1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21] as const;

/** x = quarter pi / 2 + rest, with |rest| <= pi / 4 (|x| below 1e6; beyond, the error grows with x). */
function quarters(x: number): { readonly quarter: number; readonly rest: number } {
  const n = Math.round(x / (Math.PI / 2));
  return { quarter: n - 4 * Math.floor(n / 4), rest: x - n * HALF_PI[0] - n * HALF_PI[1] - n * HALF_PI[2] };
}

/** The series of sine (`last` 19) over x, or of cosine (`last` 18), for |x| <= pi / 4. */
function series(x: number, last: number): number {
  let value = 1;
  for (let term = last; term >= 2; term -= 2) value = 1 - (value * x * x) / (term * (term - 1));
  return value;
}

const sineOf = (x: number): number => x * series(x, 19);
const cosineOf = (x: number): number => series(x, 18);

/** sin(x) for finite x; error about 1e-16 for |x| below 1e6. */
export function sine(x: number): number {
  const { quarter, rest } = quarters(x);
  const value = quarter % 2 === 0 ? sineOf(rest) : cosineOf(rest);
  return quarter < 2 ? value : -value;
}

/** cos(x) for finite x; error about 1e-16 for |x| below 1e6. */
export function cosine(x: number): number {
  const { quarter, rest } = quarters(x);
  const value = quarter % 2 === 0 ? cosineOf(rest) : sineOf(rest);
  return quarter === 0 || quarter === 3 ? value : -value;
}
