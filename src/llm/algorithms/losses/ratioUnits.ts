/** What one importance ratio covers, as tensors: a token, a turn or a trajectory. */
import {
  broadcastTo,
  cast,
  type Dim,
  div,
  equal,
  iota,
  maximum,
  mul,
  reshape,
  sub,
  sum,
  type Tensor,
} from "../../../kernels/index.ts";
import type { LossContext } from "../contract.ts";

export type RatioLevel = "token" | "turn" | "trajectory";

/** The units of each row: U of them, of which some may be empty. */
export interface RatioUnits {
  /** Tokens of each unit, 0 where there is none: [R, U]. */
  readonly count: Tensor;
  /** Sums over each unit's tokens of what is given for each token, [R, S]: [R, U]. */
  readonly sum: (x: Tensor) => Tensor;
  /** For each token what is given for its unit, [R, U], and 0 for tokens of none: [R, S]. */
  readonly spread: (u: Tensor) => Tensor;
}

/** Means over each unit's tokens: [R, U]. */
export const unitMeans = (units: RatioUnits, x: Tensor): Tensor => div(units.sum(x), maximum(units.count, 1));

const tokenUnits = (mask: Tensor): RatioUnits => ({
  count: mask,
  sum: (x) => mul(x, mask),
  spread: (u) => mul(u, mask),
});

const trajectoryUnits = (mask: Tensor): RatioUnits => ({
  count: sum(mask, -1, true),
  sum: (x) => sum(mul(x, mask), -1, true),
  spread: (u) => mul(broadcastTo(u, mask.shape), mask),
});

/** By one-hot turns, [R, K, S]: sums over an axis run on every device, sums by an index do not. */
function turnUnits(mask: Tensor, turn_ids: Tensor, rows: Dim, columns: Dim, turns: Dim): RatioUnits {
  const numbers = reshape(cast(iota(turns), "f32"), [turns, 1]);
  const isOf = equal(reshape(turn_ids, [rows, 1, columns]), numbers);
  const members = mul(cast(isOf, "f32"), reshape(mask, [rows, 1, columns]));
  return {
    count: sum(members),
    sum: (x) => sum(mul(members, reshape(x, [rows, 1, columns]))),
    spread: (u) => sum(mul(members, reshape(u, [rows, turns, 1])), 1),
  };
}

/** The units of a level among the tokens whose mask is 1; turns read the input `turn_ids`. */
export function ratioUnits(level: RatioLevel, mask: Tensor, context: LossContext): RatioUnits {
  if (level === "token") return tokenUnits(mask);
  if (level === "trajectory") return trajectoryUnits(mask);
  const { rows, columns, turns, input } = context;
  return turnUnits(mask, input("turn_ids"), rows, columns, turns);
}

/** Levels among which each batch chooses: one that is fixed, or tokens and turns, of which `by_turn` says which. */
export type RatioLevels = readonly [RatioLevel] | readonly ["token", "turn"];

/** The units of all levels among the tokens whose mask is 1. Of two, those of one have no tokens. */
export function unitsOfLevels(levels: RatioLevels, mask: Tensor, context: LossContext): RatioUnits[] {
  const [first, second] = levels;
  if (second === undefined) return [ratioUnits(first, mask, context)];
  const by_turn = reshape(context.input("by_turn"), [context.rows, 1]);
  const [tokens, turns] = [mul(mask, sub(1, by_turn)), mul(mask, by_turn)];
  return [ratioUnits(first, tokens, context), ratioUnits(second, turns, context)];
}
