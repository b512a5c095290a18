import { checkManifest, defaultHpRanges } from "../../../../specs/index.ts";
import type { HistoryColumns } from "../../../../workers/protocol.ts";

export interface Range {
  readonly min: number;
  readonly max: number;
}

/** A hyperparameter that mutates, or that members have differently. */
export interface TunedHyperparameter {
  readonly name: string;
  /** Bounds that mutation keeps to; null where none are known. */
  readonly range: Range | null;
  /** Whether its values lie so far apart that a logarithmic axis shows them better. */
  readonly log: boolean;
}

/** Ratio of the ends of a range from which on its axis is logarithmic. */
const LOG_RATIO = 50;

/** The ranges that a run's mutation keeps to, from its manifest of unknown shape; none where it has no valid one. */
export function hyperparameterRanges(manifest: unknown): Readonly<Record<string, Range>> {
  const result = checkManifest(manifest);
  if (!result.success) return {};
  const { algorithm, mutation, training } = result.manifest;
  if (mutation === null && !training.hpo) return {};
  const given = mutation?.rl_hp_selection ?? {};
  return Object.keys(given).length > 0 ? given : defaultHpRanges(algorithm);
}

/** Whether values from `min` to `max` are shown on a logarithmic axis. */
export const suitsLog = ({ min, max }: Range): boolean => min > 0 && max / min >= LOG_RATIO;

/** Smallest and largest number of a column; null for none. */
export function extent(values: Float64Array): Range | null {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return min > max ? null : { min, max };
}

/** What the view has charts of: hyperparameters with a range first, in its order, then others that differ. */
export function tunedHyperparameters(
  { hyperparameters }: Pick<HistoryColumns, "hyperparameters">,
  ranges: Readonly<Record<string, Range>>,
): TunedHyperparameter[] {
  const names = [...new Set([...Object.keys(ranges), ...Object.keys(hyperparameters)])];
  return names.flatMap((name) => {
    const column = hyperparameters[name];
    const seen = column === undefined ? null : extent(column);
    const range = ranges[name] ?? null;
    if (seen === null || (range === null && seen.min === seen.max)) return [];
    return [{ name, range, log: suitsLog(range ?? seen) && seen.min > 0 }];
  });
}
