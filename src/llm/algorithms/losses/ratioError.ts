/** Whether the policy that learns is the one that acted. */
import { abs, exp, maxAll, stopGradient, sub, type Tensor } from "../../../kernels/index.ts";

/**
 * Largest |pi / pi_old - 1| of a token, a scalar: 0 but for rounding before the first step after a roll-out.
 * `logRatio` is [R, S], 0 where no token counts.
 */
export const ratioError = (logRatio: Tensor): Tensor => maxAll(abs(sub(exp(stopGradient(logRatio)), 1)));
