/** The distance to the reference policy, token by token. */
import { exp, sub, type Tensor } from "../../../kernels/index.ts";

/**
 * exp(d) - d - 1 with d = log pi - log pi_ref: never negative, 0 where the policies agree. Schulman's k3 (2020,
 * "Approximating KL Divergence") has exp(-d) + d - 1, which estimates KL(pi || ref) without bias under samples of pi;
 * this form, the Python relative's, is a penalty only.
 */
export const klPenalty = (d: Tensor): Tensor => sub(sub(exp(d), d), 1);
