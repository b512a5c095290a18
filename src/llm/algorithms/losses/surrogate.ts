/** The clipped surrogate of Schulman et al. 2017 (eq. 7). */
import {
  abs,
  add,
  cast,
  clip,
  exp,
  greater,
  minimum,
  mul,
  neg,
  sub,
  type Tensor,
} from "../../../kernels/index.ts";
import { counted, meanOfParts } from "./means.ts";
import { type RatioUnits, unitMeans } from "./ratioUnits.ts";

/** -min(rho A, clip(rho) A), element by element. */
export const clippedSurrogate = (ratio: Tensor, clipped: Tensor, advantage: Tensor): Tensor =>
  neg(minimum(mul(ratio, advantage), mul(clipped, advantage)));

export interface SurrogateInputs {
  /** What one ratio covers; of several kinds all units count alike. */
  readonly units: readonly RatioUnits[];
  /** log pi - log pi_old of each token, 0 where none counts: [R, S]. */
  readonly logRatio: Tensor;
  /** Of each token: [R, S]. */
  readonly advantage: Tensor;
  /** How the log-ratios of a unit's tokens make its own. */
  readonly pooling: "sum" | "mean";
  /** Ratios are clipped to 1 plus and minus this. */
  readonly clip_coef: Tensor;
}

/** Means over units, each with the mean advantage of its tokens: what LLMPPO and LLMREINFORCE share. */
export function unitSurrogate({ units, logRatio, advantage, pooling, clip_coef }: SurrogateInputs): {
  readonly loss: Tensor;
  /** Share of the units whose ratio lies outside of the bounds. */
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
