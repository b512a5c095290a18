/** The per-token distance to the reference policy. */
import { exp, sub, type Tensor } from "../../../kernels/index.ts";

/**
 * exp(d) - d - 1 with d = log pi - log pi_ref: never negative, and 0 where the policies agree. Schulman's k3
 * (2020, "Approximating KL Divergence"), exp(-d) + d - 1, is an unbiased estimate of KL(pi || ref) under
 * samples of pi. The form here is that of the Python relative, and only a penalty.
 */
export const klPenalty = (d: Tensor): Tensor => sub(sub(exp(d), d), 1);
