/** Kernels of rows in WGSL: selected, added and written by index; sums, maxima and moments along them. */

import { epsilonOf } from "../ops/standardize.ts";
import type { Tensor } from "../tensor.ts";
import { each, pipelined, type WgslFunction } from "./wgslFunction.ts";

/** (state, index, rows, count, row length). Rows are written one by one: the last of equal indices wins. */
export const writeRowsWgsl = (): WgslFunction => ({
  parameters: ["to", "index", "rows", "count", "length"],
  code: each(
    "j",
    "length",
    `  for (var i = 0; i < count; i++) { heap[to + loadI(index + i) * length + j] = heap[rows + i * length + j]; }`,
  ),
});

export const takeRowsWgsl = (): WgslFunction => ({
  parameters: ["out", "x", "index", "rows", "length"],
  code: each(
    "i",
    "rows * length",
    "  heap[out + i] = heap[x + loadI(index + i / length) * length + i % length];",
  ),
});

/** Each invocation has its own columns, so that the order of the sums is fixed. */
export const sumRowsAtWgsl = (): WgslFunction => ({
  parameters: ["out", "x", "index", "rows", "length", "places"],
  code: each(
    "j",
    "length",
    `  for (var p = 0; p < places; p++) { storeF(out + p * length + j, 0.0); }
  for (var r = 0; r < rows; r++) {
    let at = out + loadI(index + r) * length + j;
    storeF(at, loadF(at) + loadF(x + r * length + j));
  }`,
  ),
});

export const argmaxWgsl = (): WgslFunction => ({
  parameters: ["out", "x", "rows", "width"],
  code: each(
    "r",
    "rows",
    `  var best = 0;
  var top = loadF(x + r * width);
  for (var j = 1; j < width; j++) {
    let value = loadF(x + r * width + j);
    if (value > top) { top = value; best = j; }
  }
  storeI(out + r, best);`,
  ),
});

export const cumulativeSumWgsl = (reverse: boolean): WgslFunction => ({
  parameters: ["out", "x", "rows", "width"],
  code: each(
    "r",
    "rows",
    `  var total = 0.0;
  for (var j = 0; j < width; j++) {
    let at = r * width + ${reverse ? "width - 1 - j" : "j"};
    total += loadF(x + at);
    storeF(out + at, total);
  }`,
  ),
});

/** The sum of `term` over row `r`, in which `value` is an element; then `result` is stored. */
const perRow =
  (before: string, term: string, result: string) =>
  (ahead: number): string =>
    each(
      "r",
      "rows",
      `var sum = 0.0;
${before}${pipelined(
  { index: "j", first: "0", count: "width", step: "1" },
  { loads: [{ name: "value", dtype: "f32", code: "loadF(x + r * width + j)" }], use: term },
  ahead,
)}
storeF(out + r, ${result});`,
    );

export const rowMeanWgsl = (): WgslFunction => ({
  parameters: ["out", "x", "rows", "width"],
  code: perRow("", "sum += value;", "sum / f32(width)"),
});

export const rowScaleWgsl = (node: Tensor): WgslFunction => ({
  parameters: ["out", "x", "rows", "width", "means"],
  code: perRow(
    "let mean = loadF(means + r);\n",
    "let centred = value - mean;\nsum += centred * centred;",
    `1.0 / sqrt(sum / f32(width) + ${epsilonOf(node)})`,
  ),
});
