/** Rectified linear unit. Its gradient is computed from its result, so that its input need not be kept. */
import type { ElementwiseOp } from "../op.ts";
import type { Tensor } from "../tensor.ts";
import { emit } from "../tensor.ts";
import { requireType } from "./operand.ts";

/** One operation, since a separate comparison would join the forward group and be kept. */
const gateOp: ElementwiseOp = {
  kind: "elementwise",
  name: "gate",
  gradient: (n, g) => [null, gate(n.inputs[0] as Tensor, g)],
  evaluate: ([y = 0, g = 0]) => (y <= 0 ? 0 : g),
  wasm: (code, [y, g]) => {
    code.body
      .get(g as number)
      .get(y as number)
      .f32x4(0)
      .simd("f32x4.le")
      .simd("v128.andnot");
  },
  wgsl: ([y, g]) => `select(${g}, 0.0, ${y} <= 0.0)`,
};

/** `g` where `y` is above 0 or NaN, else 0. */
const gate = (y: Tensor, g: Tensor): Tensor => emit(gateOp, [y, g], {}, y.shape, "f32");

const reluOp: ElementwiseOp = {
  kind: "elementwise",
  name: "relu",
  gradient: (y, g) => [gate(y, g)],
  evaluate: ([x = 0]) => (x < 0 ? 0 : x),
  wasm: (code, [x]) => {
    code.body
      .get(x as number)
      .f32x4(0)
      .simd("f32x4.pmax");
  },
  wgsl: ([x]) => `select(${x}, 0.0, ${x} < 0.0)`,
};

/** max(x, 0); the gradient at 0 is 0. NaN in gives NaN out. */
export function relu(x: Tensor): Tensor {
  requireType("relu", x, "f32");
  return emit(reluOp, [x], {}, x.shape, "f32");
}
