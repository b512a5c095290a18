/** The unit that one importance ratio covers, as tensors: a token, a turn or a trajectory. */
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

/** The units of each row. There are U per row, and some may be empty. */
export interface RatioUnits {
  /** Number of tokens in each unit, 0 for empty units: [R, U]. */
  readonly count: Tensor;
  /** Sums token values, [R, S], over each unit: [R, U]. */
  readonly sum: (x: Tensor) => Tensor;
  /** Copies unit values, [R, U], to the tokens of each unit, with 0 for tokens outside units: [R, S]. */
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

/** Uses one-hot turns, [R, K, S], because every device supports sums over an axis, but not sums by index. */
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

/** The units of a level among the tokens with mask 1. Turns read the input `turn_ids`. */
export function ratioUnits(level: RatioLevel, mask: Tensor, context: LossContext): RatioUnits {
  if (level === "token") return tokenUnits(mask);
  if (level === "trajectory") return trajectoryUnits(mask);
  const { rows, columns, turns, input } = context;
  return turnUnits(mask, input("turn_ids"), rows, columns, turns);
}

/** Possible levels: a fixed one, or tokens and turns, with the input `by_turn` selecting one per row. */
export type RatioLevels = readonly [RatioLevel] | readonly ["token", "turn"];

/**
 * The units of all levels among the tokens with mask 1. Of two levels, the one not selected has no tokens.
 */
export function unitsOfLevels(levels: RatioLevels, mask: Tensor, context: LossContext): RatioUnits[] {
  const [first, second] = levels;
  if (second === undefined) return [ratioUnits(first, mask, context)];
  const by_turn = reshape(context.input("by_turn"), [context.rows, 1]);
  const [tokens, turns] = [mul(mask, sub(1, by_turn)), mul(mask, by_turn)];
  return [ratioUnits(first, tokens, context), ratioUnits(second, turns, context)];
}
