import type { PlotColour, PlotTheme } from "./plotTheme.ts";

/** One line of a chart, with a value for each position. */
export interface PlotLine {
  readonly label: string;
  readonly values: readonly (number | null)[];
  readonly colour: PlotColour;
  /** Width in pixels; 0 for a line that is only the edge of a band. */
  readonly width: number;
  readonly dash?: readonly number[];
  /** Whether the readout under the pointer includes it. */
  readonly read: boolean;
}

/** A filled area between two lines. */
export interface PlotBand {
  /** Indices of the upper and the lower line. */
  readonly between: readonly [number, number];
  readonly colour: PlotColour;
  readonly opacity: number;
}

/** The coordinate mapping of a chart, in device pixels. */
export interface PlotPlace {
  readonly context: CanvasRenderingContext2D;
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
  readonly ratio: number;
  readonly width: number;
}

/** The content of a chart. */
export interface PlotModel {
  /** Positions in ascending order: generations, steps or seconds. */
  readonly x: readonly number[];
  /** Whether the positions are generations. */
  readonly byGeneration?: boolean;
  readonly lines: readonly PlotLine[];
  readonly bands: readonly PlotBand[];
  readonly log: boolean;
  /** Ends of the vertical axis. By default, it fits all values. */
  readonly range?: readonly [number, number];
  /** Values marked by a dashed horizontal line, always within the axis. */
  readonly bounds: readonly number[];
  /** Labelled positions marked by a vertical line, such as generations in which the user steered. */
  readonly marks: readonly { readonly x: number; readonly label: string }[];
  /** Whether lines bridge positions without a value, as for runs with different positions. */
  readonly joined?: boolean;
  /** Whether the values of lines with few values are drawn as dots too. */
  readonly dotted?: boolean;
  /** Draws content below the lines. */
  readonly under: ((place: PlotPlace, theme: PlotTheme) => void) | null;
  readonly format: (value: number) => string;
  readonly formatX: (value: number) => string;
}

/** The values at a position of a chart, such as "generation 12: median 3.2, elite 4". */
export function readoutOf(model: PlotModel, at: number | null): string {
  const position = at === null ? undefined : model.x[at];
  if (at === null || position === undefined) return "";
  const values = model.lines.flatMap(({ label, values: line, read }) => {
    const value = line[at];
    return read && value !== null && value !== undefined ? [`${label} ${model.format(value)}`] : [];
  });
  const marks = model.marks.filter(({ x }) => x === position).map(({ label }) => label);
  const place = `${model.byGeneration ? "generation " : ""}${model.formatX(position)}`;
  return `${place}: ${[...values, ...marks].join(", ")}`;
}

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

/** Maximum number of values that are drawn as dots; more would touch each other. */
const MOST_DOTS = 60;

/**
 * Whether a line's values are drawn as dots too: a single value, which is no line, or, if `dotted`, few values among
 * more positions, such as evaluations among generations.
 */
export function hasDots(values: ArrayLike<number | null | undefined> | undefined, dotted = false): boolean {
  const all = Array.from(values ?? []);
  const known = all.filter((value) => value !== null && value !== undefined && Number.isFinite(value));
  if (known.length === 1) return true;
  return dotted && known.length > 0 && known.length < all.length && known.length <= MOST_DOTS;
}
