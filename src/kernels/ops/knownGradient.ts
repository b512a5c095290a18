/** Element-wise values whose derivative is known: a shorter one than the chain rule finds, from parts at hand. */
import type { ElementwiseOp, GradientRule } from "../op.ts";
import type { Tensor } from "../tensor.ts";
import { emit } from "../tensor.ts";

/**
 * An operation that passes on its first input and differentiates by `gradient`, which sees all inputs. They must
 * have one shape.
 */
export function knownGradient(
  name: string,
  gradient: GradientRule,
): (value: Tensor, ...parts: readonly Tensor[]) => Tensor {
  const op: ElementwiseOp = {
    kind: "elementwise",
    name,
    gradient,
    evaluate: ([value = 0]) => value,
    wasm: (code, [value]) => {
      code.body.get(value as number);
    },
    wgsl: ([value = ""]) => value,
  };
  return (value, ...parts) => emit(op, [value, ...parts], {}, value.shape, value.dtype);
}
