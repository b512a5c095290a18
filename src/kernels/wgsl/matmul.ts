/** Matrix product by one workgroup: each invocation makes tiles of 4 x 4 in registers. */
import type { WgslFunction } from "./wgslFunction.ts";

interface MatmulVariant {
  /** A is stored [K, M]. */
  readonly transposeA: boolean;
  /** B is stored [N, K]. */
  readonly transposeB: boolean;
  readonly bias: boolean;
}

const TILE = [0, 1, 2, 3] as const;

/** (C, A, B, M, N, K[, bias]): C = op(A) op(B) + bias, row-major. Each sum runs over k in order. */
export function matmulWgsl({ transposeA, transposeB, bias }: MatmulVariant): WgslFunction {
  const lines = (write: (i: number) => string) => TILE.map(write).join("\n");
  // Rows and columns beyond the last read the last one, and are not stored.
  const code = `let acrossN = (n + 3) / 4;
let tiles = ((m + 3) / 4) * acrossN;
for (var tile = lid; tile < tiles; tile += WG) {
  let row = (tile / acrossN) * 4;
  let column = (tile % acrossN) * 4;
${lines((r) => `  let r${r} = min(row + ${r}, m - 1);`)}
${lines((c) => `  let c${c} = min(column + ${c}, n - 1);`)}
  let start = ${bias ? "vec4<f32>(loadF(bias + c0), loadF(bias + c1), loadF(bias + c2), loadF(bias + c3))" : "vec4<f32>(0.0)"};
${lines((r) => `  var s${r} = start;`)}
  for (var k = 0; k < depth; k++) {
    let across = vec4<f32>(${TILE.map((c) => `loadF(b + ${transposeB ? `c${c} * depth + k` : `k * n + c${c}`})`).join(", ")});
${lines((r) => `    s${r} += loadF(a + ${transposeA ? `k * m + r${r}` : `r${r} * depth + k`}) * across;`)}
  }
${lines(
  (r) => `  if (row + ${r} < m) {
${lines((c) => `    if (column + ${c} < n) { storeF(to + (row + ${r}) * n + column + ${c}, s${r}[${c}]); }`)}
  }`,
)}
}`;
  return { parameters: ["to", "a", "b", "m", "n", "depth", ...(bias ? ["bias"] : [])], code };
}
