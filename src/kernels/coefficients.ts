/**
 * Constants of exp, log, sin, cos and tanh: range reductions and polynomials, highest power first. Source: Cephes
 * single precision (Moshier, public domain), relative error below 2e-7 on the stated ranges.
 */

/** ln 2 in two parts: the first has few bits, so that n*LN2_HIGH is exact. */
export const LN2_HIGH = 0.693359375;
export const LN2_LOW = -2.1219444e-4;

export const EXP = [
  1.98756915e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1,
];

export const LOG = [
  7.0376836292e-2, -1.151461031e-1, 1.167699874e-1, -1.2420140846e-1, 1.4249322787e-1, -1.6668057665e-1,
  2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1,
]; // prettier-ignore

/** pi/4 in three parts (Cody and Waite); good to 1e-7 absolute up to |x| about 8,000. */
export const QUARTER_PI = [0.78515625, 2.4187564849853515625e-4, 3.77489497744594108e-8] as const;

export const SINE = [-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1];

export const COSINE = [2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2];

export const TANH = [
  -5.70498872745e-3, 2.06390887954e-2, -5.37397155531e-2, 1.33314422036e-1, -3.33332819422e-1,
];
