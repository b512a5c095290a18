import type { ResultCache } from "./cache.ts";
import type { LearningRow } from "./rows.ts";
import { type Point, trainOnce } from "./trainOnce.ts";

/** The points of a seed's training, from the cache if it is finished. */
export async function pointsOf(
  row: LearningRow,
  seed: number,
  cache: ResultCache,
): Promise<readonly Point[]> {
  const known = cache.read(seed);
  if (known) return known;
  const points = await trainOnce(row, seed);
  cache.write(seed, points);
  return points;
}
