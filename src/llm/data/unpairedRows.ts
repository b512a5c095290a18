/** Rows of single answers, each labelled as desirable or not. */
import { show } from "../../specs/messages.ts";
import { columnsOf, type Row } from "./rows.ts";

/** Column that says whether a row's answer is desirable. */
export const LABEL = "label";

/** Labels as JSON and Parquet have them, as numbers, and as the texts of CSV. */
const LABELS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  [1, true],
  ["true", true],
  ["1", true],
  [false, false],
  [0, false],
  ["false", false],
  ["0", false],
]);

/** Whether a row's answer is desirable. @throws Error for anything but a label. */
export function labelOf(row: Row): boolean {
  const value = row[LABEL];
  const label = LABELS.get(typeof value === "string" ? value.trim().toLowerCase() : value);
  if (label !== undefined) return label;
  throw new Error(`${LABEL}: found ${show(value)}, allowed true (a desirable answer) or false`);
}

/**
 * Rows of single answers. Pairs become two rows, of which the chosen answer is desirable, as in TRL
 * (`maybe_unpair_preference_dataset`); others stay as they are.
 *
 * @param answer Column of the answer.
 */
export function unpairedRows(rows: readonly Row[], answer: string): readonly Row[] {
  const found = columnsOf(rows);
  if (found.includes(LABEL) || !["chosen", "rejected"].every((side) => found.includes(side))) return rows;
  return rows.flatMap(({ chosen, rejected, ...row }) => [
    { ...row, [answer]: chosen, [LABEL]: true },
    { ...row, [answer]: rejected, [LABEL]: false },
  ]);
}
