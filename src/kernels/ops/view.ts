/** The same elements with another shape, without a copy. */
import type { Shape } from "../dim.ts";
import { sameDim, sameShape, shapeKey, sizeOf } from "../dim.ts";
import type { ViewOp } from "../op.ts";
import type { Tensor } from "../tensor.ts";
import { emit } from "../tensor.ts";
import { requireType } from "./operand.ts";

const reshapeOp: ViewOp = {
  kind: "view",
  name: "reshape",
  gradient: (n, g) => [reshape(g, (n.inputs[0] as Tensor).shape)],
};

/** @throws RangeError when the number of elements differs. */
export function reshape(x: Tensor, shape: Shape): Tensor {
  if (sameShape(x.shape, shape)) return x;
  if (!sameDim(sizeOf(x.shape), sizeOf(shape))) {
    throw new RangeError(
      `reshape: ${shapeKey(x.shape)} and ${shapeKey(shape)} hold different numbers of elements`,
    );
  }
  return emit(reshapeOp, [x], {}, shape, x.dtype);
}

const stopGradientOp: ViewOp = { kind: "view", name: "stopGradient" };

/** The same value, but no gradient flows through it. */
export const stopGradient = (x: Tensor): Tensor => emit(stopGradientOp, [x], {}, x.shape, x.dtype);

const bitsOp: ViewOp = { kind: "view", name: "bits" };

/** The same 32 bits read as another type. No gradient flows through. */
export function reinterpret(x: Tensor, dtype: "f32" | "i32" | "u32"): Tensor {
  requireType("reinterpret", x, "f32", "i32", "u32");
  return x.dtype === dtype ? x : emit(bitsOp, [x], {}, x.shape, dtype);
}
