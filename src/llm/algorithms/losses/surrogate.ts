/**
 * The learning policy compared with the acting one, in the clipped surrogate of Schulman et al. 2017 (eq. 7), and with
 * the reference policy.
 */
import {
  abs,
  add,
  cast,
  clip,
  exp,
  greater,
  maxAll,
  minimum,
  mul,
  neg,
  stopGradient,
  sub,
  type Tensor,
} from "../../../kernels/index.ts";
import { counted, meanOfParts } from "./means.ts";
import { type RatioUnits, unitMeans } from "./ratioUnits.ts";

/** -min(rho A, clip(rho) A), element-wise. */
export const clippedSurrogate = (ratio: Tensor, clipped: Tensor, advantage: Tensor): Tensor =>
  neg(minimum(mul(ratio, advantage), mul(clipped, advantage)));

interface SurrogateInputs {
  /** The units that ratios cover. Units of several levels have equal weight. */
  readonly units: readonly RatioUnits[];
  /** log pi - log pi_old of each token, 0 for tokens that do not count: [R, S]. */
  readonly logRatio: Tensor;
  /** Advantage of each token: [R, S]. */
  readonly advantage: Tensor;
  /** How the log-ratios of tokens are combined into their unit's. */
  readonly pooling: "sum" | "mean";
  /** Ratios are clipped to 1 plus or minus this. */
  readonly clip_coef: Tensor;
}

/**
 * The surrogate of LLMPPO and LLMREINFORCE: a mean over units, with the mean advantage of each unit's tokens.
 */
export function unitSurrogate({ units, logRatio, advantage, pooling, clip_coef }: SurrogateInputs): {
  readonly loss: Tensor;
  /** Fraction of units with a ratio outside the bounds. */
  readonly clipfrac: Tensor;
} {
  const [low, high] = [sub(1, clip_coef), add(1, clip_coef)];
  const parts = units.map((kind) => {
    const ratio = exp(pooling === "sum" ? kind.sum(logRatio) : unitMeans(kind, logRatio));
    return { ratio, advantage: unitMeans(kind, advantage), weight: counted(kind.count) };
  });
  const average = (of: (part: (typeof parts)[number]) => Tensor): Tensor =>
    meanOfParts(parts.map((part) => ({ x: of(part), weight: part.weight })));
  return {
    loss: average((part) => clippedSurrogate(part.ratio, clip(part.ratio, low, high), part.advantage)),
    clipfrac: average(({ ratio }) => cast(greater(abs(sub(ratio, 1)), clip_coef), "f32")),
  };
}

/**
 * A distance from d = log pi - log pi_ref: never negative, and 0 where the policies agree. Schulman's k3
 * (2020, "Approximating KL Divergence"), exp(-d) + d - 1, is an unbiased estimate of KL(pi || ref) under
 * samples of pi. `rlkit`, exp(d) - d - 1, is the form of AgileRL, and only a penalty.
 */
export const klPenalty = (d: Tensor, estimator: "rlkit" | "k3"): Tensor =>
  estimator === "k3" ? sub(add(exp(neg(d)), d), 1) : sub(sub(exp(d), d), 1);

/**
 * Largest |pi / pi_old - 1| over tokens, as a scalar. Before the first step after a rollout, it is 0 except
 * for rounding. `logRatio` is [R, S], 0 at tokens that do not count.
 */
export const ratioError = (logRatio: Tensor): Tensor => maxAll(abs(sub(exp(stopGradient(logRatio)), 1)));
