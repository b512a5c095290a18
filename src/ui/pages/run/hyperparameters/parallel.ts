/** Parallel coordinates: one vertical axis per value, one line per agent. */
import { extent, type Range, suitsLog } from "../../../series/hyperparameterRanges.ts";

/** One value of all shown agents. */
export interface Dimension {
  readonly name: string;
  /** Values by cell of the history. */
  readonly values: Float64Array;
  readonly range: Range;
  /** Whether all values are positive, so that a logarithmic axis is possible. */
  readonly positive: boolean;
}

/** The display settings of a dimension. */
export interface AxisSetting {
  readonly name: string;
  readonly shown: boolean;
  readonly log: boolean;
  /** Range of values that pass the filter; null for all. */
  readonly brush: Range | null;
}

/**
 * The dimension of a column; null if the column has no numbers.
 * @param least range that the axis always includes
 */
export function dimensionOf(
  name: string,
  values: Float64Array,
  least: Range | null = null,
): Dimension | null {
  const seen = extent(values);
  if (seen === null) return null;
  const range = {
    min: Math.min(seen.min, least?.min ?? seen.min),
    max: Math.max(seen.max, least?.max ?? seen.max),
  };
  return { name, values, range, positive: seen.min > 0 };
}

/** The initial settings: all axes shown, logarithmic where suitable. */
export const startingSettings = (dimensions: readonly Dimension[]): AxisSetting[] =>
  dimensions.map(({ name, range, positive }) => ({
    name,
    shown: true,
    log: positive && suitsLog(range),
    brush: null,
  }));

/**
 * Settings for the current dimensions: known dimensions keep their settings and order, new ones are appended.
 */
export function settingsFor(
  dimensions: readonly Dimension[],
  settings: readonly AxisSetting[],
): readonly AxisSetting[] {
  const names = new Set(dimensions.map(({ name }) => name));
  const known = settings.filter(({ name }) => names.has(name));
  const fresh = startingSettings(
    dimensions.filter(({ name }) => !settings.some((setting) => setting.name === name)),
  );
  return fresh.length === 0 && known.length === settings.length ? settings : [...known, ...fresh];
}

/** A copy of the settings with one axis changed. */
export const withSetting = (
  settings: readonly AxisSetting[],
  name: string,
  change: Partial<AxisSetting>,
): AxisSetting[] => settings.map((setting) => (setting.name === name ? { ...setting, ...change } : setting));

/**
 * A copy of the settings with an axis moved one place among the shown axes: -1 to the left, 1 to the right.
 */
export function moved(settings: readonly AxisSetting[], name: string, places: -1 | 1): AxisSetting[] {
  const order = [...settings];
  const from = order.findIndex((setting) => setting.name === name);
  let to = from + places;
  while (order[to]?.shown === false) to += places;
  const [one, other] = [order[from], order[to]];
  if (one === undefined || other === undefined) return order;
  order.splice(from, 1);
  order.splice(to, 0, one);
  return order;
}

/** Position of a value as a share of the axis's height, 0 at the lower end; NaN if it is not finite. */
export function shareOf({ range }: Dimension, log: boolean, value: number): number {
  const [low, high, at] = log
    ? [Math.log(range.min), Math.log(range.max), Math.log(value)]
    : [range.min, range.max, value];
  return high > low ? (at - low) / (high - low) : Number.isFinite(at) ? 0.5 : Number.NaN;
}

/** The value at a share of the axis's height. */
export function valueAt({ range }: Dimension, log: boolean, share: number): number {
  const part = Math.min(1, Math.max(0, share));
  return log ? range.min * (range.max / range.min) ** part : range.min + (range.max - range.min) * part;
}

/** Whether an agent's values lie within all brushes. */
export const passes = (
  cell: number,
  axes: readonly { readonly dimension: Dimension; readonly setting: AxisSetting }[],
): boolean =>
  axes.every(({ dimension, setting: { brush } }) => {
    if (brush === null) return true;
    const value = dimension.values[cell] ?? Number.NaN;
    return value >= brush.min && value <= brush.max;
  });
