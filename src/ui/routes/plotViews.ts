/** What a user has set on the charts of a page, as one compact parameter of its address. */

import { plotText } from "./plotText.ts";

/** Two ends of an axis, ascending. */
export type PlotRange = readonly [low: number, high: number];

/** The view state of all charts of a page. Names are slugs: see {@link plotSlug}. */
export interface PlotViews {
  /** Weight of earlier values in smoothed lines, in [0, 1); 0 for none. */
  readonly smoothing: number;
  /** Shown ends by horizontal axis; charts with the same one share them. */
  readonly x: Readonly<Record<string, PlotRange>>;
  /** Shown ends of the values, by chart. */
  readonly y: Readonly<Record<string, PlotRange>>;
  /** Whether values are on a logarithmic axis, by chart, where that differs from the chart's own choice. */
  readonly log: Readonly<Record<string, boolean>>;
  /** Horizontal axes that are logarithmic. */
  readonly logX: readonly string[];
  /** Entries of legends whose lines are hidden. */
  readonly hidden: readonly string[];
}

export const NO_PLOT_VIEWS: PlotViews = { smoothing: 0, x: {}, y: {}, log: {}, logX: [], hidden: [] };

/** Largest weight of earlier values. */
export const MOST_SMOOTHING = 0.99;

/** A name as it is in addresses: its letters and digits, joined by hyphens. */
export const plotSlug = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-");

function rangeOf([low, high]: readonly string[]): PlotRange | null {
  const ends = [Number(low || Number.NaN), Number(high || Number.NaN)] as const;
  return ends.every(Number.isFinite) && ends[0] < ends[1] ? ends : null;
}

/** Parses the parameter of an address. Entries that have no meaning are dropped. */
export function parsePlotViews(text: string): PlotViews {
  const [x, y]: [Record<string, PlotRange>, Record<string, PlotRange>] = [{}, {}];
  const log: Record<string, boolean> = {};
  const [logX, hidden]: [string[], string[]] = [[], []];
  let smoothing = 0;
  for (const entry of plotText(text).split("*")) {
    const [kind, name = "", ...rest] = entry.split("_");
    if (name === "") continue;
    const range = rangeOf(rest);
    if (kind === "s" && Number(name) > 0) smoothing = Math.min(MOST_SMOOTHING, Number(name));
    if (kind === "x" && range !== null) x[name] = range;
    if (kind === "y" && range !== null) y[name] = range;
    if (kind === "l") log[name] = rest[0] !== "0";
    if (kind === "lx") logX.push(name);
    if (kind === "h") hidden.push(name, ...rest);
  }
  return { smoothing, x, y, log, logX, hidden: hidden.filter(Boolean) };
}

const number = (value: number): string => String(Number(value.toPrecision(7)));

/** The parameter that {@link parsePlotViews} parses; "" where all is default. */
export function formatPlotViews({ smoothing, x, y, log, logX, hidden }: PlotViews): string {
  const ranges = (kind: string, of: PlotViews["x"]): string[] =>
    Object.entries(of).map(([name, ends]) => [kind, name, ...ends.map(number)].join("_"));
  return [
    ...(smoothing > 0 ? [`s_${number(smoothing)}`] : []),
    ...ranges("x", x),
    ...ranges("y", y),
    ...Object.entries(log).map(([name, on]) => `l_${name}${on ? "" : "_0"}`),
    ...logX.map((name) => `lx_${name}`),
    ...(hidden.length > 0 ? [["h", ...hidden].join("_")] : []),
  ].join("*");
}
