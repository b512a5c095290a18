/** Gradients of neighbouring slices are put side by side instead of being added up among zeros. */
import { expect, it } from "vitest";
import * as k from "../../../src/kernels/index.ts";
import { liveNodes } from "../../../src/kernels/lowering/liveness.ts";

/** Operations with kernels that the gradient of the parts' sum of squares needs. */
function kernelsOf(starts: readonly number[], width: number): string[] {
  const program = k.trace("slices", () => {
    const x = k.state("x", [k.sym("n"), 6]).read();
    const loss = starts
      .map((start) => k.sumAll(k.square(k.slice(x, start, width))))
      .reduce((a, b) => k.add(a, b));
    k.state("gradient", x.shape).write(k.grad(loss, [x])[0] as k.Tensor);
  });
  return [...liveNodes(program.region)]
    .filter(({ op }) => op.kind === "kernel")
    .map(({ op }) => op.name)
    .sort();
}

it.each([
  ["in order", [0, 2, 4]],
  ["in any order", [4, 0, 2]],
])("three parts %s", (_how, starts) => {
  expect(kernelsOf(starts, 2)).toEqual(["concat", "slice", "slice", "slice"]);
});

it("overlapping parts are added", () => {
  expect(kernelsOf([0, 1], 4)).toEqual(["concat", "concat", "slice", "slice"]);
});
