/** Patches of images and their adjoint: each invocation computes its own elements from their sources. */
import { each, type WgslFunction } from "./wgslFunction.ts";

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
