/**
 * The start of every shader: the buffers, access to them by type, sums over a workgroup, and our own exp,
 * log, sin, cos and tanh (WGSL guarantees an error of 2^-11 for sin and cos, and nothing outside +-pi).
 * Ranges and coefficients are those of wasm/transcendental.ts.
 */
import { COSINE, EXP, LN2_HIGH, LN2_LOW, LOG, QUARTER_PI, SINE, TANH } from "../coefficients.ts";

/**
 * Layout of a cohort's record of each member, in words: the address of its table, the number of runs left,
 * and where the current run was suspended. Stage 0 is the program's start.
 */
export const RECORD = {
  table: 0,
  left: 1,
  stage: 2,
  /** Position and count of the loops around the stage, outermost first. */
  loops: [
    { position: 3, count: 4 },
    { position: 5, count: 6 },
  ],
  words: 7,
} as const;

/** Nesting depth of loops in which a program can be suspended and resumed. */
export const CUT_DEPTH = RECORD.loops.length;

/**
 * Words at the start of the table that no member owns: the bits of infinity, of NaN and of -0, and the units of
 * work after which a member is suspended in a dispatch (0: never).
 */
export const TABLE_HEADER = [0x7f800000, 0x7fc00000, -0x80000000, 0] as const;
export const LIMIT_WORD = 3;

const horner = (x: string, coefficients: readonly number[]): string =>
  coefficients.map((c) => `${c}f`).reduce((sum, c) => `(${sum} * ${x} + ${c})`);

export const prelude = (workgroupSize: number): string => `const WG = ${workgroupSize};
@group(0) @binding(0) var<storage, read_write> heap: array<u32>;
@group(0) @binding(1) var<storage, read> table: array<i32>;
@group(0) @binding(2) var<storage, read_write> members: array<i32>;
var<private> lid: i32;
var<workgroup> shared_word: i32;
var<workgroup> parts: array<f32, WG>;

fn loadF(at: i32) -> f32 { return bitcast<f32>(heap[at]); }
fn loadI(at: i32) -> i32 { return bitcast<i32>(heap[at]); }
fn loadU(at: i32) -> u32 { return heap[at]; }
fn loadB(at: i32) -> bool { return heap[at] != 0u; }
fn storeF(at: i32, value: f32) { heap[at] = bitcast<u32>(value); }
fn storeI(at: i32, value: i32) { heap[at] = bitcast<u32>(value); }
fn storeU(at: i32, value: u32) { heap[at] = value; }
fn storeB(at: i32, value: bool) { heap[at] = select(0u, 0xffffffffu, value); }
fn infinity() -> f32 { return bitcast<f32>(table[0]); }
fn notANumber() -> f32 { return bitcast<f32>(table[1]); }
fn negativeZero() -> f32 { return bitcast<f32>(table[2]); }
// By its bits: compilers may take x != x for false.
fn isNan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }
// In two exact parts: some drivers cut off instead of rounding.
fn floatOf(x: u32) -> f32 { return f32(x >> 16u) * 65536.0 + f32(x & 0xffffu); }

fn uniformLoad(at: i32) -> i32 {
  if (lid == 0) { shared_word = loadI(at); }
  return workgroupUniformLoad(&shared_word);
}

fn memberWord(at: i32) -> i32 {
  if (lid == 0) { shared_word = members[at]; }
  return workgroupUniformLoad(&shared_word);
}

// Keeps where a member lets go, for the dispatch that goes on from there.
fn suspend(record: i32, left: i32, stage: i32, i0: i32, n0: i32, i1: i32, n1: i32) {
  if (lid == 0) {
    members[record + ${RECORD.left}] = left;
    members[record + ${RECORD.stage}] = stage;
    members[record + ${RECORD.loops[0].position}] = i0;
    members[record + ${RECORD.loops[0].count}] = n0;
    members[record + ${RECORD.loops[1].position}] = i1;
    members[record + ${RECORD.loops[1].count}] = n1;
  }
}

fn sumOver(value: f32) -> f32 {
  parts[lid] = value;
  workgroupBarrier();
  for (var half = WG / 2; half > 0; half /= 2) {
    if (lid < half) { parts[lid] += parts[lid + half]; }
    workgroupBarrier();
  }
  return parts[0];
}

fn maxOver(value: f32) -> f32 {
  parts[lid] = value;
  workgroupBarrier();
  for (var half = WG / 2; half > 0; half /= 2) {
    if (lid < half) { parts[lid] = select(parts[lid], parts[lid + half], parts[lid] < parts[lid + half]); }
    workgroupBarrier();
  }
  return parts[0];
}

fn truncated(x: f32) -> i32 {
  if (isNan(x)) { return 0; }
  if (x >= 2147483648.0) { return 2147483647; }
  if (x <= -2147483648.0) { return -2147483647 - 1; }
  return i32(x);
}

fn expOf(x: f32) -> f32 {
  if (isNan(x)) { return x; }
  let limited = clamp(x, -104.0, 89.0);
  let n = round(limited * 1.44269504088896341);
  let r = (limited - n * ${LN2_HIGH}) - n * (${LN2_LOW});
  let y = ${horner("r", EXP)} * r * r + r + 1.0;
  let whole = i32(n);
  let half = whole >> 1u;
  return y * bitcast<f32>((half + 127) << 23u) * bitcast<f32>((whole - half + 127) << 23u);
}

fn logOf(x: f32) -> f32 {
  if (x == 0.0) { return -infinity(); }
  if (!(x > 0.0)) { return notANumber(); }
  if (bitcast<i32>(x) == table[0]) { return x; }
  let bits = bitcast<i32>(max(x, 1.1754943508222875e-38));
  let mantissa = bitcast<f32>((bits & 0x007fffff) | 0x3f000000);
  let low = mantissa < 0.70710678118654752;
  let e = f32((bits >> 23u) - 126) - select(0.0, 1.0, low);
  let m = mantissa - 1.0 + select(0.0, mantissa, low);
  let z = m * m;
  let y = ${horner("m", LOG)} * m * z + e * (${LN2_LOW}) - z * 0.5;
  return m + y + e * ${LN2_HIGH};
}

fn octantValue(r: f32, z: f32, octant: i32) -> f32 {
  let cosine = ${horner("z", COSINE)} * z * z - z * 0.5 + 1.0;
  let sine = ${horner("z", SINE)} * z * r + r;
  return select(sine, cosine, (octant & 2) == 2);
}

fn sinOf(x: f32) -> f32 {
  let size = abs(x);
  let octant = (truncated(size * 1.27323954473516268) + 1) & -2;
  let n = f32(octant);
  let r = ((size - n * ${QUARTER_PI[0]}) - n * ${QUARTER_PI[1]}) - n * ${QUARTER_PI[2]};
  let value = octantValue(r, r * r, octant);
  let negative = (x < 0.0) != ((octant & 4) == 4);
  return select(value, -value, negative);
}

fn cosOf(x: f32) -> f32 {
  let size = abs(x);
  let octant = (truncated(size * 1.27323954473516268) + 1) & -2;
  let n = f32(octant);
  let r = ((size - n * ${QUARTER_PI[0]}) - n * ${QUARTER_PI[1]}) - n * ${QUARTER_PI[2]};
  let shifted = octant - 2;
  let value = octantValue(r, r * r, shifted);
  return select(value, -value, (shifted & 4) == 0);
}

fn tanhOf(x: f32) -> f32 {
  let size = abs(x);
  let large = 1.0 - 2.0 / (expOf(size + size) + 1.0);
  let z = x * x;
  let small = ${horner("z", TANH)} * z * x + x;
  return select(small, select(large, -large, x < 0.0), size >= 0.625);
}
`;
