/** Matrix product by one workgroup: each invocation computes tiles of 4 x 4 in registers. */
import type { WgslFunction } from "./wgslFunction.ts";

interface MatmulVariant {
  /** A is stored [K, M]. */
  readonly transposeA: boolean;
  /** B is stored [N, K]. */
  readonly transposeB: boolean;
  readonly bias: boolean;
}

const TILE = [0, 1, 2, 3] as const;
const lines = (write: (i: number) => string) => TILE.map(write).join("\n");

/** (C, A, B, M, N, K[, bias]): C = op(A) op(B) + bias, row-major. Each sum runs over k in order. */
export function matmulWgsl({ transposeA, transposeB, bias }: MatmulVariant): WgslFunction {
  const inHeap = (ahead: number) => terms(transposeA, acrossInHeap(transposeB), ahead);
  return { parameters: parametersOf(bias), code: (ahead) => tiles(bias, inHeap(ahead)) };
}

/** (C, A, B, M, N, K, count): `count` products, with their factors stored consecutively. */
export function batchMatmulWgsl(variant: Omit<MatmulVariant, "bias">): WgslFunction {
  const { transposeA, transposeB } = variant;
  return {
    parameters: [...parametersOf(false).map((name) => FIRST_OF_BATCH[name] ?? name), "count"],
    code: (ahead) => `for (var index = 0; index < count; index++) {
let to = firstTo + index * m * n;
let a = firstA + index * m * depth;
let b = firstB + index * depth * n;
${tiles(false, terms(transposeA, acrossInHeap(transposeB), ahead))}
}`,
  };
}

/** Names of the first matrices among the parameters. */
const FIRST_OF_BATCH: Readonly<Record<string, string>> = { to: "firstTo", a: "firstA", b: "firstB" };

/** The same without transposition, with B read from workgroup memory if it is staged (see staging.ts). */
export function stagedMatmulWgsl(bias: boolean): WgslFunction {
  const code = (ahead: number) =>
    tiles(
      bias,
      `  if (staged < 0) {
${terms(false, acrossInHeap(false), ahead)}
  } else {
    let at = staged + tile % acrossN;
${terms(false, (k) => `matrices[at + ${k} * acrossN]`, ahead)}
  }`,
    );
  return { parameters: [...parametersOf(bias), "staged"], code };
}

const parametersOf = (bias: boolean): string[] => [
  "to",
  "a",
  "b",
  "m",
  "n",
  "depth",
  ...(bias ? ["bias"] : []),
];

/** Four elements of row `k` (an expression) of op(B). */
const acrossInHeap =
  (transposeB: boolean) =>
  (k: string): string =>
    `vec4<f32>(${TILE.map((c) => `loadF(b + ${transposeB ? `c${c} * depth + ${k}` : `${k} * n + c${c}`})`).join(", ")})`;

/** Element of op(A) in row `r` of a tile and column `k`. */
const downInHeap = (transposeA: boolean, r: number, k: string): string =>
  `loadF(a + ${transposeA ? `${k} * m + r${r}` : `r${r} * depth + ${k}`})`;

/**
 * Adds the products of the columns of op(A) and the rows of op(B) to a tile, in order. The loads of `ahead` of
 * them are issued together (see `pipelined`; these are written out, since the last ones need no mask).
 * @param across Expression for four elements of a row of op(B).
 */
function terms(transposeA: boolean, across: (k: string) => string, ahead: number): string {
  const one = `for (; k < depth; k++) {
    let across = ${across("k")};
${lines((r) => `    s${r} += ${downInHeap(transposeA, r, "k")} * across;`)}
  }`;
  if (ahead === 1) return `  var k = 0;\n  ${one}`;
  const rounds = Array.from({ length: ahead }, (_, u) => u);
  return `  var k = 0;
  for (; k + ${ahead} <= depth; k += ${ahead}) {
${rounds.map((u) => `    let across${u} = ${across(`(k + ${u})`)};\n${lines((r) => `    let down${u}_${r} = ${downInHeap(transposeA, r, `(k + ${u})`)};`)}`).join("\n")}
${rounds.map((u) => lines((r) => `    s${r} += down${u}_${r} * across${u};`)).join("\n")}
  }
  ${one}`;
}

/**
 * Tiles of C, each computed by `sum`. Rows and columns beyond the last read the last one, and are not stored.
 *
 * A loop stores the rows and moves each of them to the first row's register, since a loop cannot index
 * registers. SwiftShader compiles a product in 0.07 s this way, and in 0.17 s with all 16 elements written
 * out.
 */
const tiles = (bias: boolean, sum: string): string => `let acrossN = (n + 3) / 4;
let tiles = ((m + 3) / 4) * acrossN;
for (var tile = lid; tile < tiles; tile += WG) {
  let row = (tile / acrossN) * 4;
  let column = (tile % acrossN) * 4;
${lines((r) => `  let r${r} = min(row + ${r}, m - 1);`)}
${lines((c) => `  let c${c} = min(column + ${c}, n - 1);`)}
  let start = ${bias ? "vec4<f32>(loadF(bias + c0), loadF(bias + c1), loadF(bias + c2), loadF(bias + c3))" : "vec4<f32>(0.0)"};
${lines((r) => `  var s${r} = start;`)}
${sum}
  let end = min(row + 4, m) * n;
  for (var first = row * n + column; first < end; first += n) {
    storeF(to + first, s0[0]);
${[1, 2, 3].map((c) => `    if (column + ${c} < n) { storeF(to + first + ${c}, s0[${c}]); }`).join("\n")}
    s0 = s1;
    s1 = s2;
    s2 = s3;
  }
}`;
