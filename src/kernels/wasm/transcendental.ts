/**
 * exp, log, sin, cos and tanh from our own range-reduced polynomials: they give the same bits on every
 * engine, unlike the built-in functions.
 */
import { COSINE, EXP, LN2_HIGH, LN2_LOW, LOG, QUARTER_PI, SINE, TANH } from "../coefficients.ts";
import type { ElementCode } from "./elementCode.ts";

const ROUND = 12582912;
const ROUND_BITS = 0x4b400000;

/** Below this, exp is 0 in f32. */
const EXP_ENDS = -104;

export function expCode(code: ElementCode, x: number): void {
  const { body } = code;
  // Results near 0 are subnormal, which takes processors ten times as long; masked scores avoid that here.
  const vanishes = code.keep(body.get(x).f32x4(EXP_ENDS).simd("f32x4.lt"));
  const limited = code.keep(
    body
      .get(x)
      .f32x4(89)
      .simd("f32x4.pmin")
      .f32x4(EXP_ENDS)
      .simd("f32x4.pmax")
      .get(vanishes)
      .simd("v128.andnot"),
  );
  // Adding 1.5 * 2^23 rounds to the nearest integer and leaves it in the low bits; a conversion takes 8 instructions.
  const rounded = code.keep(
    body.get(limited).f32x4(1.44269504088896341).simd("f32x4.mul").f32x4(ROUND).simd("f32x4.add"),
  );
  const n = code.keep(body.get(rounded).f32x4(ROUND).simd("f32x4.sub"));
  const r =
    body
      .get(limited)
      .get(n)
      .f32x4(LN2_HIGH)
      .simd("f32x4.mul")
      .simd("f32x4.sub")
      .get(n)
      .f32x4(LN2_LOW)
      .simd("f32x4.mul")
      .simd("f32x4.sub") && code.keep();
  code.polynomial(r, EXP);
  body.get(r).simd("f32x4.mul").get(r).simd("f32x4.mul").get(r).simd("f32x4.add").f32x4(1).simd("f32x4.add");
  const y = code.keep();
  // 2^n in two factors, so that results near the ends of the range do not overflow in between.
  const whole = code.keep(body.get(rounded).i32x4(ROUND_BITS).simd("i32x4.sub"));
  const half = code.keep(body.get(whole).i32(1).simd("i32x4.shr_s"));
  const power = (exponent: () => void) => {
    exponent();
    body.i32x4(127).simd("i32x4.add").i32(23).simd("i32x4.shl");
  };
  body.get(y);
  power(() => body.get(half));
  body.simd("f32x4.mul");
  power(() => body.get(whole).get(half).simd("i32x4.sub"));
  body.simd("f32x4.mul").get(vanishes).simd("v128.andnot");
}

const SMALLEST_NORMAL = 1.1754943508222875e-38;

export function logCode(code: ElementCode, x: number): void {
  const { body } = code;
  const bits = code.keep(body.get(x).f32x4(SMALLEST_NORMAL).simd("f32x4.pmax"));
  const mantissa = code.keep(body.get(bits).i32x4(0x007fffff).simd("v128.and").f32x4(0.5).simd("v128.or"));
  const exponent = code.keep(
    body.get(bits).i32(23).simd("i32x4.shr_u").i32x4(126).simd("i32x4.sub").simd("f32x4.convert_i32x4_s"),
  );
  const low = code.keep(body.get(mantissa).f32x4(Math.SQRT1_2).simd("f32x4.lt"));
  const e = code.keep(body.get(exponent).get(low).f32x4(1).simd("v128.and").simd("f32x4.sub"));
  const m =
    body.get(mantissa).f32x4(1).simd("f32x4.sub").get(mantissa).get(low).simd("v128.and").simd("f32x4.add") &&
    code.keep();
  const z = code.apply("f32x4.mul", m, m).keep();
  code.polynomial(m, LOG);
  body.get(m).simd("f32x4.mul").get(z).simd("f32x4.mul");
  body.get(e).f32x4(LN2_LOW).simd("f32x4.mul").simd("f32x4.add");
  body.get(z).f32x4(0.5).simd("f32x4.mul").simd("f32x4.sub");
  body.get(m).simd("f32x4.add").get(e).f32x4(LN2_HIGH).simd("f32x4.mul").simd("f32x4.add");
  const y = code.keep();
  // log(0) = -inf, log of a negative number or NaN = NaN, log(inf) = inf.
  body.f32x4(-Infinity).get(y).get(x).f32x4(0).simd("f32x4.eq").simd("v128.bitselect");
  const withZero = code.keep();
  body
    .f32x4(Number.NaN)
    .get(withZero)
    .get(x)
    .f32x4(0)
    .simd("f32x4.ge")
    .simd("v128.not")
    .simd("v128.bitselect");
  const withNegative = code.keep();
  body.get(x).get(withNegative).get(x).f32x4(Infinity).simd("f32x4.eq").simd("v128.bitselect");
}

/** Reduced argument, its square, and the octant rounded up to even. */
function octants(code: ElementCode, x: number): { r: number; z: number; octant: number } {
  const { body } = code;
  const size = code.keep(body.get(x).simd("f32x4.abs"));
  const octant =
    body
      .get(size)
      .f32x4(4 / Math.PI)
      .simd("f32x4.mul")
      .simd("i32x4.trunc_sat_f32x4_s")
      .i32x4(1)
      .simd("i32x4.add")
      .i32x4(-2)
      .simd("v128.and") && code.keep(); // prettier-ignore
  const n = code.keep(body.get(octant).simd("f32x4.convert_i32x4_s"));
  body.get(size);
  for (const part of QUARTER_PI) body.get(n).f32x4(part).simd("f32x4.mul").simd("f32x4.sub");
  const r = code.keep();
  const z = code.apply("f32x4.mul", r, r).keep();
  return { r, z, octant };
}

/** Leaves sine or cosine of the reduced argument, whichever the octant requires. */
function octantValue(code: ElementCode, r: number, z: number, octant: number): void {
  const { body } = code;
  code.polynomial(z, COSINE);
  body
    .get(z)
    .simd("f32x4.mul")
    .get(z)
    .simd("f32x4.mul")
    .get(z)
    .f32x4(0.5)
    .simd("f32x4.mul")
    .simd("f32x4.sub")
    .f32x4(1)
    .simd("f32x4.add");
  const cosine = code.keep();
  code.polynomial(z, SINE);
  body.get(z).simd("f32x4.mul").get(r).simd("f32x4.mul").get(r).simd("f32x4.add");
  const sine = code.keep();
  body
    .get(cosine)
    .get(sine)
    .get(octant)
    .i32x4(2)
    .simd("v128.and")
    .i32x4(2)
    .simd("i32x4.eq")
    .simd("v128.bitselect");
}

export function sinCode(code: ElementCode, x: number): void {
  const { r, z, octant } = octants(code, x);
  octantValue(code, r, z, octant);
  const sign = code.keep(code.body.get(x).i32x4(-2147483648).simd("v128.and"));
  code.body
    .get(octant)
    .i32x4(4)
    .simd("v128.and")
    .i32(29)
    .simd("i32x4.shl")
    .get(sign)
    .simd("v128.xor")
    .simd("v128.xor");
}

export function cosCode(code: ElementCode, x: number): void {
  const { r, z, octant } = octants(code, x);
  const shifted = code.keep(code.body.get(octant).i32x4(2).simd("i32x4.sub"));
  octantValue(code, r, z, shifted);
  code.body.i32x4(4).get(shifted).simd("v128.andnot").i32(29).simd("i32x4.shl").simd("v128.xor");
}

export function tanhCode(code: ElementCode, x: number): void {
  const { body } = code;
  const size = code.keep(body.get(x).simd("f32x4.abs"));
  const twice = code.apply("f32x4.add", size, size).keep();
  expCode(code, twice);
  const power = code.keep();
  const large = code.keep(
    body.f32x4(1).f32x4(2).get(power).f32x4(1).simd("f32x4.add").simd("f32x4.div").simd("f32x4.sub"),
  );
  const sign = code.keep(body.get(x).i32x4(-2147483648).simd("v128.and"));
  const z = code.apply("f32x4.mul", x, x).keep();
  code.polynomial(z, TANH);
  body.get(z).simd("f32x4.mul").get(x).simd("f32x4.mul").get(x).simd("f32x4.add");
  const small = code.keep();
  body
    .get(large)
    .get(sign)
    .simd("v128.or")
    .get(small)
    .get(size)
    .f32x4(0.625)
    .simd("f32x4.ge")
    .simd("v128.bitselect");
}
