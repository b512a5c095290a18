/** Values of units from those of their tokens. */
import type { RolloutBatch } from "../contract.ts";
import type { ValuedUnit } from "./gae.ts";
import type { SequenceUnit } from "./sequenceUnits.ts";

/** How the values of a unit's tokens make the unit's: that of the last token, or the mean. */
export type ValueReduction = "mean" | "final_value";

/** The share that each token's value has in its unit's, by column. */
const sharesOf = ({ columns }: SequenceUnit, reduction: ValueReduction): number[] =>
  columns.map((_, i) => (reduction === "mean" ? 1 / columns.length : i === columns.length - 1 ? 1 : 0));

/** The share of each token's value in its unit's, 0 outside of units: [rows, columns]. */
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

/** The units of one sequence with the value of the state before each; `values` is [rows, columns]. */
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
