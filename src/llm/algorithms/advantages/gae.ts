/**
 * Advantages and returns of one sequence, computed backwards in time, and values of units from those of their tokens.
 */
import type { RolloutBatch } from "../contract.ts";
import type { SequenceUnit } from "./sequenceUnits.ts";

/** Reward of a unit of a sequence, and the value of the state before it. */
interface ValuedUnit {
  readonly reward: number;
  readonly value: number;
}

/** Generalised advantages A, and returns A + V. */
interface Advantages {
  readonly advantages: number[];
  readonly returns: number[];
}

/**
 * Generalised advantage estimation (Schulman et al. 2016, eq. 16) of a complete sequence: delta_k = r_k +
 * gamma V_(k+1) - V_k; A_k = delta_k + gamma lambda A_(k+1); G_k = A_k + V_k; V after the last unit is 0.
 */
export function generalisedAdvantages(
  units: readonly ValuedUnit[],
  gamma: number,
  lambda: number,
): Advantages {
  const advantages: number[] = [];
  let [next, nextValue] = [0, 0];
  for (const { reward, value } of units.toReversed()) {
    next = reward + gamma * nextValue - value + gamma * lambda * next;
    nextValue = value;
    advantages.unshift(next);
  }
  return { advantages, returns: units.map(({ value }, k) => (advantages[k] ?? 0) + value) };
}

/** G_k = r_k + gamma G_(k+1) (Sutton and Barto 2018, eq. 3.9). */
export function discountedReturns(rewards: readonly number[], gamma: number): number[] {
  const returns: number[] = [];
  let next = 0;
  for (const reward of rewards.toReversed()) {
    next = reward + gamma * next;
    returns.unshift(next);
  }
  return returns;
}

/** How a unit's value follows from those of its tokens: the last token's, or the mean. */
export type ValueReduction = "mean" | "final_value";

/** Weight of each token's value in the unit's value, in the order of the unit's columns. */
const sharesOf = ({ columns }: SequenceUnit, reduction: ValueReduction): number[] =>
  columns.map((_, i) => (reduction === "mean" ? 1 / columns.length : i === columns.length - 1 ? 1 : 0));

/** Weight of each token's value in its unit's value, 0 outside units: [rows, columns]. */
export function valueShares(
  { rows, columns }: RolloutBatch,
  units: readonly (readonly SequenceUnit[])[],
  reduction: ValueReduction,
): Float32Array {
  const shares = new Float32Array(rows * columns);
  units.forEach((own, row) => {
    for (const unit of own) {
      sharesOf(unit, reduction).forEach((share, i) => {
        shares[row * columns + (unit.columns[i] ?? 0)] = share;
      });
    }
  });
  return shares;
}

/** The units of one sequence, each with the value of the state before it; `values` is [rows, columns]. */
export const valuedUnits = (
  units: readonly SequenceUnit[],
  values: Float32Array,
  firstOfRow: number,
  reduction: ValueReduction,
): ValuedUnit[] =>
  units.map((unit) => ({
    reward: unit.reward,
    value: sharesOf(unit, reduction).reduce(
      (total, share, i) => total + share * (values[firstOfRow + (unit.columns[i] ?? 0)] ?? 0),
      0,
    ),
  }));
