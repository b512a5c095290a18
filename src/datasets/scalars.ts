/** Tables with one number per row. */
import { Box, MultiBinary } from "../rl/spaces/index.ts";
import type { Column } from "./Column.ts";
import { Elements } from "./Elements.ts";

const NUMBER = new Box({ low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY, shape: [1] });
const FLAG = new MultiBinary(1);

export const numbersOf = (column: Column, source: string): Elements =>
  new Elements(NUMBER, () => column, source);

/** A table of zeros and ones. Python's booleans are read as such. */
export const flagsOf = (column: Column, source: string): Elements => new Elements(FLAG, () => column, source);
