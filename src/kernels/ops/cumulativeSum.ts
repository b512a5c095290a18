/** Running sums along the last axis. */
import type { Dim } from "../dim.ts";
import { sizeOf } from "../dim.ts";
import { dimArg, input, output } from "../lowering/kernelRequest.ts";
import type { KernelOp } from "../op.ts";
import type { Tensor } from "../tensor.ts";
import { emit } from "../tensor.ts";
import { FunctionBody } from "../wasm/encoder.ts";
import { forLoop } from "../wasm/loops.ts";
import { each } from "../wgsl/wgslFunction.ts";
import { requireType } from "./operand.ts";

const isReverse = (node: Tensor): boolean => node.attrs.reverse as boolean;
const kernelName = (node: Tensor): string => `cumulativeSum${isReverse(node) ? " reverse" : ""}`;
const argsOf = (node: Tensor) => [
  output,
  input(0),
  dimArg(sizeOf(node.shape.slice(0, -1))),
  dimArg(node.shape.at(-1) as Dim),
];

const cumulativeSumOp: KernelOp = {
  kind: "kernel",
  name: "cumulativeSum",
  gradient: (n, g) => [cumulativeSum(g, !isReverse(n))],
  evaluate: ([x], node, e) => {
    const out = e.alloc();
    const width = e.outShape.at(-1) ?? 1;
    for (let row = 0; row < out.length; row += width) {
      let total = 0;
      for (let j = 0; j < width; j++) {
        const at = row + (isReverse(node) ? width - 1 - j : j);
        total = e.round(total + (x?.[at] ?? Number.NaN));
        out[at] = total;
      }
    }
    return out;
  },
  wasm: (node, request) => request.call(kernelName(node), argsOf(node), () => runningSums(isReverse(node))),
  wgsl: (node, request) =>
    request.call(kernelName(node), argsOf(node), () => ({
      parameters: ["out", "x", "rows", "width"],
      code: each(
        "r",
        "rows",
        `  var total = 0.0;
  for (var j = 0; j < width; j++) {
    let at = r * width + ${isReverse(node) ? "width - 1 - j" : "j"};
    total += loadF(x + at);
    storeF(out + at, total);
  }`,
      ),
    })),
};

/** (out, x, rows, width). */
function runningSums(reverse: boolean): FunctionBody {
  const f = new FunctionBody(["i32", "i32", "i32", "i32"]);
  const [r, j, bytes, from, to] = f.i32s(5);
  const total = f.local("f32");
  const step = reverse ? -4 : 4;
  const advance = (pointer: number) => f.get(pointer).i32(step).op("i32.add").set(pointer);
  f.get(3).i32(2).op("i32.shl").set(bytes);
  /** Sets the pointer to the first element in the order of the sums. */
  const start = (base: number, pointer: number) => {
    f.get(base).get(r).get(bytes).op("i32.mul").op("i32.add");
    if (reverse) f.get(bytes).op("i32.add").i32(-4).op("i32.add");
    f.set(pointer);
  };
  forLoop(f, r, 2, 1, () => {
    start(1, from);
    start(0, to);
    f.f32(0).set(total);
    forLoop(f, j, 3, 1, () => {
      f.get(to).get(total).get(from).f32Load().op("f32.add").tee(total).f32Store();
      advance(from);
      advance(to);
    });
  });
  return f;
}

/** Running sums along the last axis: each element is added to the sum before it. `reverse`: from the end. */
export function cumulativeSum(x: Tensor, reverse = false): Tensor {
  requireType("cumulativeSum", x, "f32");
  if (x.rank < 1) throw new RangeError("cumulativeSum: needs at least one axis");
  return emit(cumulativeSumOp, [x], { reverse }, x.shape, "f32");
}
