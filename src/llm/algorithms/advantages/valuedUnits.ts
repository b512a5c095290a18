/** Computes values of units from those of their tokens. */
import type { RolloutBatch } from "../contract.ts";
import type { ValuedUnit } from "./gae.ts";
import type { SequenceUnit } from "./sequenceUnits.ts";

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
