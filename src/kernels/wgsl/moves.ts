/** Kernels in WGSL that move values: each invocation computes its own elements from their sources. */
import { each, type WgslFunction } from "./wgslFunction.ts";

/** (to, source, words). */
export const copyWgsl = (): WgslFunction => ({
  parameters: ["to", "source", "words"],
  code: each("i", "words", "  heap[to + i] = heap[source + i];"),
});

export const transposeWgsl = (): WgslFunction => ({
  parameters: ["to", "source", "rows", "columns"],
  code: each("i", "rows * columns", "  heap[to + i] = heap[source + (i % rows) * columns + i / rows];"),
});

export const stridedCopyWgsl = (): WgslFunction => ({
  parameters: ["to", "source", "rows", "width", "toWidth", "fromWidth", "toStart", "fromStart"],
  code: each(
    "i",
    "rows * width",
    "  heap[to + (i / width) * toWidth + toStart + i % width] = heap[source + (i / width) * fromWidth + fromStart + i % width];",
  ),
});

/** (to, source, then the size of each axis of `source`): axis d of the result is axis `axes[d]`. */
export function permuteWgsl(axes: readonly number[]): WgslFunction {
  const sizes = axes.map((_, axis) => `size${axis}`);
  const inward = axes.toReversed();
  const position = sizes.reduce((at, size, axis) => (axis === 0 ? "i0" : `(${at}) * ${size} + i${axis}`), "");
  return {
    parameters: ["to", "source", ...sizes],
    code: each(
      "e",
      sizes.join(" * "),
      `  var rest = e;
${inward.map((axis) => `  let i${axis} = rest % size${axis}; rest /= size${axis};`).join("\n")}
  heap[to + e] = heap[source + ${position}];`,
    ),
  };
}

/** Bytes packed into words, or words unpacked: `code` writes element `e` of `count`. */
const bytesWgsl = (count: string, code: string): WgslFunction => ({
  parameters: ["to", "source", "rows", "bytes"],
  code: `let words = (bytes + 3) / 4;\n${each("e", count, code)}`,
});

export const packBytesWgsl = (): WgslFunction =>
  bytesWgsl(
    "rows * words",
    `  let first = (e % words) * 4;
  var word = 0u;
  for (var j = 0; j < min(4, bytes - first); j++) {
    let byte = clamp(truncated(loadF(source + (e / words) * bytes + first + j)), 0, 255);
    word |= u32(byte) << u32(8 * j);
  }
  storeU(to + e, word);`,
  );

export const unpackBytesWgsl = (): WgslFunction =>
  bytesWgsl(
    "rows * bytes",
    `  let j = e % bytes;
  storeF(to + e, f32((loadU(source + (e / bytes) * words + j / 4) >> u32(8 * (j % 4))) & 255u));`,
  );

/** Numbers of two bytes each (`ops/halves.ts`), which are 256 times as large. */
export const unpackHalvesWgsl = (): WgslFunction => ({
  parameters: ["to", "source", "count"],
  code: each(
    "e",
    "count / 2",
    `  let pair = unpack2x16float(loadU(source + e)) / 256.0;
  storeF(to + 2 * e, pair.x);
  storeF(to + 2 * e + 1, pair.y);`,
  ),
});

/** Integers of one byte each, with signs (`ops/int8.ts`). */
export const unpackInt8Wgsl = (): WgslFunction => ({
  parameters: ["to", "source", "count"],
  code: each(
    "e",
    "count",
    "  storeF(to + e, f32(extractBits(bitcast<i32>(loadU(source + e / 4)), u32(8 * (e % 4)), 8u)));",
  ),
});

const parametersOf = (rank: number): string[] => [
  "to",
  "source",
  "images",
  "channels",
  ...Array.from({ length: rank }, (_, d) => [`length${d}`, `places${d}`, `size${d}`, `stride${d}`]).flat(),
];

const product = (factors: readonly string[]): string => factors.join(" * ");

/** (patches, images, count, channels, then for each axis: length, places, size, stride). */
export function patchesWgsl(rank: number): WgslFunction {
  const axes = Array.from({ length: rank }, (_, d) => d);
  const inward = axes.toReversed();
  const total = product(["images", ...axes.map((d) => `places${d} * size${d}`), "channels"]);
  return {
    parameters: parametersOf(rank),
    code: each(
      "e",
      total,
      `  var rest = e / channels;
${inward.map((d) => `  let k${d} = rest % size${d}; rest /= size${d};`).join("\n")}
${inward.map((d) => `  let y${d} = (rest % places${d}) * stride${d} + k${d}; rest /= places${d};`).join("\n")}
  var at = rest;
${axes.map((d) => `  at = at * length${d} + y${d};`).join("\n")}
  heap[to + e] = heap[source + at * channels + e % channels];`,
    ),
  };
}

/** (images, patches, count, channels, then for each axis: length, places, size, stride). */
export function foldWgsl(rank: number): WgslFunction {
  const axes = Array.from({ length: rank }, (_, d) => d);
  const inward = axes.toReversed();
  const total = product(["images", ...axes.map((d) => `length${d}`), "channels"]);
  const loops = axes.map(
    (d) =>
      `  for (var o${d} = select(0, (y${d} - size${d}) / stride${d} + 1, y${d} >= size${d}); o${d} <= min(y${d} / stride${d}, places${d} - 1); o${d}++) {`,
  );
  return {
    parameters: parametersOf(rank),
    code: each(
      "e",
      total,
      `  var rest = e / channels;
${inward.map((d) => `  let y${d} = rest % length${d}; rest /= length${d};`).join("\n")}
  var total = 0.0;
${loops.join("\n")}
    var at = rest;
${axes.map((d) => `    at = at * places${d} + o${d};`).join("\n")}
${axes.map((d) => `    at = at * size${d} + y${d} - o${d} * stride${d};`).join("\n")}
    total += loadF(source + at * channels + e % channels);
${axes.map(() => "  }").join("\n")}
  storeF(to + e, total);`,
    ),
  };
}
