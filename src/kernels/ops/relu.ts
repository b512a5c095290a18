/** Rectified linear unit. Its gradient is computed from its result, so that its input need not be kept. */
import type { ElementwiseOp } from "../op.ts";
import type { Tensor } from "../tensor.ts";
import { emit } from "../tensor.ts";
import { unary } from "./operand.ts";

/** One operation, since a separate comparison would join the forward group and be kept. */
const gateOp: ElementwiseOp = {
  kind: "elementwise",
  name: "gate",
  gradient: (n, g) => [null, gate(n.inputs[0] as Tensor, g)],
  evaluate: ([y, g]) => (y <= 0 ? 0 : g),
};

/** `g` where `y` is above 0 or NaN, else 0. */
const gate = (y: Tensor, g: Tensor): Tensor => emit(gateOp, [y, g], {}, y.shape, "f32");

/** max(x, 0); the gradient at 0 is 0. NaN in gives NaN out. */
export const relu: (x: Tensor) => Tensor = unary(
  "relu",
  (x) => (x < 0 ? 0 : x),
  (y, g) => [gate(y, g)],
);
