import { checkManifest, evolutionSections } from "../../manifests/index.ts";
import type { HistoryColumns } from "../../workers/protocol.ts";

export interface Range {
  readonly min: number;
  readonly max: number;
}

/** A hyperparameter that mutates or differs between members. */
export interface TunedHyperparameter {
  readonly name: string;
  /** Bounds of mutation; null if none are known. */
  readonly range: Range | null;
  /** Whether its range is wide enough for a logarithmic axis. */
  readonly log: boolean;
}

/** Minimum ratio of a range's ends for a logarithmic axis. */
const LOG_RATIO = 50;

/** The mutation ranges of a run, from its unvalidated manifest; empty if the manifest is not valid. */
export function hyperparameterRanges(manifest: unknown): Readonly<Record<string, Range>> {
  const result = checkManifest(manifest);
  if (!result.success) return {};
  return evolutionSections(result.manifest).mutation?.rl_hp_selection ?? {};
}

/** Whether a range suits a logarithmic axis. */
export const suitsLog = ({ min, max }: Range): boolean => min > 0 && max / min >= LOG_RATIO;

/** Smallest and largest number of a column; null if it has no numbers. */
export function extent(values: Float64Array): Range | null {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return min > max ? null : { min, max };
}

/**
 * The hyperparameters to chart: those with a range first, in the order of `ranges`, then others whose values
 * differ.
 */
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
