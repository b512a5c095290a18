import { around, type Interval, studentQuantile } from "../../../../tracking/history.ts";
import type { HistoryColumns } from "../../../../workers/protocol.ts";

/** How far a member is ahead of the next best of its generation. */
export interface Lead {
  /** Identity of the next best. */
  readonly over: number;
  /** Difference of their evaluations; negative for one that is behind. */
  readonly value: number;
  /** Of 95 %, from the spread of the episodes of both; null if unknown, as for evaluations of one episode. */
  readonly interval: Interval | null;
  /** Episodes of the shorter evaluation; NaN if unknown. */
  readonly episodes: number;
}

type Evaluations = Pick<HistoryColumns, "population" | "index" | "fitness" | "evaluation_error" | "episodes">;

/** The lead of a member in its generation; null if it was not evaluated in it, or nobody else was. */
export function leadOf(
  { population, index, fitness, evaluation_error, episodes }: Evaluations,
  cell: number,
): Lead | null {
  const start = cell - (cell % population);
  const [next] = Array.from({ length: population }, (_, slot) => start + slot)
    .filter((other) => other !== cell && Number.isFinite(fitness[other]))
    .sort((a, b) => (fitness[b] ?? 0) - (fitness[a] ?? 0));
  const own = fitness[cell] ?? Number.NaN;
  if (next === undefined || !Number.isFinite(own)) return null;
  const both = [cell, next];
  const fewest = Math.min(...both.map((one) => episodes[one] ?? Number.NaN));
  const error = Math.hypot(...both.map((one) => evaluation_error[one] ?? Number.NaN));
  const value = own - (fitness[next] ?? 0);
  return {
    over: index[next] ?? -1,
    value,
    interval: fewest < 2 ? null : around(value, error * studentQuantile(fewest - 1)),
    episodes: fewest,
  };
}
