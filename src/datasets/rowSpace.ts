/** The space of a table's rows, where nothing says which one it is. */
import { Box } from "../rl/spaces/index.ts";
import type { Column } from "./Column.ts";

/** All numbers of the rows' shape. */
export const rowSpace = ({ shape: [, ...row] }: Column): Box =>
  new Box({
    low: Number.NEGATIVE_INFINITY,
    high: Number.POSITIVE_INFINITY,
    shape: row.length === 0 ? [1] : row,
  });
