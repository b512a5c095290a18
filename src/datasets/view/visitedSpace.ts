/** A sample of what a data set's agents saw. */
import type { Dataset } from "../Dataset.ts";

/** Observations spread over a data set. */
export interface VisitedSpace {
  /** Numbers of an observation. */
  readonly size: number;
  /** Observations one after another. */
  readonly values: Float32Array<ArrayBuffer>;
}

/** Observations of a sample, at most. */
const MOST = 4096;
/** Stretches that are read, at most, and rows of each: chunks of files are read whole. */
const STRETCHES = 64;
const ROWS = 1024;
/** Numbers of an observation from which on it counts as a picture, whose single numbers tell nothing. */
const PICTURE = 512;

const spread = (count: number, most: number): number[] =>
  count <= most
    ? Array.from({ length: count }, (_, i) => i)
    : Array.from({ length: most }, (_, i) => Math.floor((i * count) / most));

/** Null for pictures and for no observations. @throws DatasetError for an observation that is none. */
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
