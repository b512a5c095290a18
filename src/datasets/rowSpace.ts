/** The space of a table's rows, for data without a stated space. */
import { Box } from "../rl/spaces.ts";
import type { Column } from "./Column.ts";

/** An unbounded Box with the shape of the rows. */
export const rowSpace = ({ shape: [, ...row] }: Column): Box =>
  new Box({
    low: Number.NEGATIVE_INFINITY,
    high: Number.POSITIVE_INFINITY,
    shape: row.length === 0 ? [1] : row,
  });
