/** Compares the learning policy with the acting one. */
import { abs, exp, maxAll, stopGradient, sub, type Tensor } from "../../../kernels/index.ts";

/**
 * Largest |pi / pi_old - 1| over tokens, as a scalar. Before the first step after a rollout, it is 0 except
 * for rounding. `logRatio` is [R, S], 0 at tokens that do not count.
 */
export const ratioError = (logRatio: Tensor): Tensor => maxAll(abs(sub(exp(stopGradient(logRatio)), 1)));
