/** The space of a table's rows, for data without a stated space. */
import { keptMask } from "../rl/programs.ts";
import { type AgentSpaces, Box, MultiBinary } from "../rl/spaces.ts";
import type { Column } from "./Column.ts";
import { DatasetError } from "./DatasetError.ts";
import { Elements } from "./Elements.ts";

const NUMBER = new Box({ low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY, shape: [1] });
const FLAG = new MultiBinary(1);

/** A table of one number per row. */
export const numbersOf = (column: Column, source: string): Elements =>
  new Elements(NUMBER, () => column, source);

/** A table of zeros and ones. Python's booleans are read as such. */
export const flagsOf = (column: Column, source: string): Elements => new Elements(FLAG, () => column, source);

/** A table of action masks: a zero or a one for each choice. */
export const masksOf = (column: Column, layout: AgentSpaces, source: string): Elements =>
  new Elements(new MultiBinary(keptMask(layout)), () => column, source);

/** The whole of such a table. @throws DatasetError naming the first row that is neither 0 nor 1. */
export function readFlags(column: Column, source: string): Uint8Array {
  const values = column.read(0, column.shape[0] ?? 0) as ArrayLike<number>;
  return Uint8Array.from(values, (value, row) => {
    const flag = Number(value);
    if (flag === 0 || flag === 1) return flag;
    throw new DatasetError(source, `${column.place}, row ${row}: found ${value}, allowed 0 or 1`);
  });
}

/** An unbounded Box with the shape of the rows. */
export const rowSpace = ({ shape: [, ...row] }: Column): Box =>
  new Box({
    low: Number.NEGATIVE_INFINITY,
    high: Number.POSITIVE_INFINITY,
    shape: row.length === 0 ? [1] : row,
  });
