/** Lines of several runs as their mean, with an interval for it. */
import { estimateOf, type Interval, intervalMethod, LEAST_FOR_IQM } from "../../../tracking/history.ts";
import { formatHyperparameter } from "../../lib/format.ts";

/** Values at shared positions; null where a line has none. */
export type Values = readonly (number | null)[];

/** A line's value at each position from its first to its last: between its own positions by linear interpolation. */
export function filled(x: readonly number[], values: Values): Values {
  const known = values.flatMap((value, at) => (value === null ? [] : [at]));
  let next = 0;
  return values.map((value, at) => {
    if (value !== null) return value;
    while ((known[next] ?? at) < at) next += 1;
    const [before, after] = [known[next - 1], known[next]];
    if (before === undefined || after === undefined) return null;
    const [from, to] = [values[before] ?? Number.NaN, values[after] ?? Number.NaN];
    const [start, end, here] = [x[before] ?? 0, x[after] ?? 0, x[at] ?? 0];
    return from + ((to - from) * (here - start)) / (end - start);
  });
}

/** The centre of lines, and the ends of its 95 % interval, at each position. */
export interface SeedMean {
  readonly mean: Values;
  /** Null in all positions for fewer than three lines. */
  readonly low: Values;
  readonly high: Values;
}

/**
 * The centre of runs where all of them have a value, with its interval (`estimateOf`). With runs of different lengths, a
 * mean over those that are left would jump where one ends.
 * @param lines one for each seed
 * @param within possible values
 */
export function meanOf(x: readonly number[], lines: readonly Values[], within?: Interval): SeedMean {
  const whole = lines.map((line) => filled(x, line));
  const at = x.map((_, position) => {
    const values = whole.flatMap((line) => line[position] ?? []);
    return values.length < lines.length || values.length === 0 ? null : estimateOf(values, within);
  });
  return {
    mean: at.map((one) => one?.value ?? null),
    low: at.map((one) => one?.interval?.[0] ?? null),
    high: at.map((one) => one?.interval?.[1] ?? null),
  };
}

const range = ([low, high]: Interval): string =>
  high < Infinity
    ? `${formatHyperparameter(low)} to ${formatHyperparameter(high)}`
    : `${formatHyperparameter(low)} or more`;

/** What lines over seeds are, in sentences. @param counts numbers of seeds of the lines */
export function seedText(counts: readonly number[], within?: Interval): string {
  const few = counts.some((count) => count > 1 && intervalMethod(count) === null);
  const methods = [...new Set(counts.flatMap((count) => intervalMethod(count) ?? []))];
  const isMany = counts.some((count) => count >= LEAST_FOR_IQM);
  return [
    isMany
      ? `Lines are means over seeds, from ${LEAST_FOR_IQM} seeds on interquartile means.`
      : "Lines are means over seeds.",
    ...(methods.length > 0
      ? [
          `Bands are 95 % intervals by ${methods.join(", or ")}${within ? `, cut to the possible returns (${range(within)})` : ""}.`,
        ]
      : []),
    ...(few ? ["Two seeds have no interval: dots are their values."] : []),
    "A seed that was repeated counts once.",
  ].join(" ");
}
