import type { PlotModel } from "./PlotModel.ts";

/**
 * Range of the vertical axis: the given one, or one around all lines and bounds. A logarithmic axis ignores
 * values that are not positive.
 */
export function valueRange({ lines, bounds, log, range }: PlotModel): readonly [number, number] {
  if (range !== undefined) return range;
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const take = (value: number | null): void => {
    if (value === null || (log && value <= 0)) return;
    low = Math.min(low, value);
    high = Math.max(high, value);
  };
  for (const { values } of lines) for (const value of values) take(value);
  for (const bound of bounds) take(bound);
  if (low > high) return log ? [0.1, 1] : [0, 1];
  if (log) return [low / 1.15, high * 1.15];
  const room = high > low ? (high - low) * 0.06 : Math.max(1e-9, Math.abs(low) * 0.1);
  return [low - room, high + room];
}
