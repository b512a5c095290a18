/** A sample of the observations in a data set. */
import type { Dataset } from "../Dataset.ts";

/** Observations sampled evenly from a data set. */
export interface VisitedSpace {
  /** Numbers per observation. */
  readonly size: number;
  /** The observations as flat numbers. */
  readonly values: Float32Array<ArrayBuffer>;
}

/** Approximate number of observations in a sample. */
const MOST = 4096;
/** Upper bounds on the stretches to read and on the rows of each, because chunks of files are read whole. */
const STRETCHES = 64;
const ROWS = 1024;
/** Observations with more numbers than this count as images, whose individual numbers are not informative. */
const PICTURE = 512;

const spread = (count: number, most: number): number[] =>
  count <= most
    ? Array.from({ length: count }, (_, i) => i)
    : Array.from({ length: most }, (_, i) => Math.floor((i * count) / most));

/** `null` for images, or without observations. @throws DatasetError for an invalid observation. */
export async function visitedSpace(dataset: Dataset): Promise<VisitedSpace | null> {
  const all = dataset.observations();
  const chosen = spread(all.length, STRETCHES)
    .flatMap((i) => all[i] ?? [])
    .filter(({ rows }) => rows > 0);
  const [first] = chosen;
  if (!first) return null;
  const { length: size } = await first.read(0, 1);
  if (size > PICTURE) return null;
  const found: Float32Array[] = [];
  for (const stretch of chosen) {
    const rows = Math.min(stretch.rows, ROWS);
    const numbers = await stretch.read(0, rows);
    for (const row of spread(rows, Math.ceil(MOST / chosen.length)))
      found.push(numbers.subarray(row * size, (row + 1) * size));
  }
  const values = new Float32Array(found.length * size);
  found.forEach((numbers, i) => values.set(numbers, i * size));
  return { size, values };
}
