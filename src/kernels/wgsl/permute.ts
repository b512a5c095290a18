/** Permutation of axes: each invocation fetches its own elements from their sources. */
import { each, type WgslFunction } from "./wgslFunction.ts";

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
