import type { PlotColour } from "./plotTheme.ts";

/** One line of a chart, with a value for each position. */
export interface PlotLine {
  readonly label: string;
  readonly values: readonly (number | null)[];
  readonly colour: PlotColour;
  /** Width in pixels; 0 for a line that is only the edge of a band. */
  readonly width: number;
  readonly dash?: readonly number[];
  /** Whether the readout at the crosshair includes it. Defaults to whether it has a width. */
  readonly read?: boolean;
  /** The legend's entry that hides it. Defaults to its label. */
  readonly group?: string;
  /** Whether smoothing leaves it as it is, as for a running maximum. */
  readonly steady?: boolean;
}

/** A filled area between two lines. */
export interface PlotBand {
  /** Indices of the upper and the lower line. */
  readonly between: readonly [number, number];
  readonly colour: PlotColour;
  readonly opacity: number;
  /** The legend's entry that hides it. */
  readonly group?: string;
}

/** Single values at positions of their own, drawn as dots. */
export interface PlotDots {
  /** What a dot is, in the singular. */
  readonly label: string;
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
  /** Colours of lineages, 0 to 7. */
  readonly colours: ArrayLike<number>;
  /** Radius in pixels. */
  readonly radius: number;
  /** The legend's entry that hides them. */
  readonly group: string;
}

/** Many separate pieces of lines in one style. */
export interface PlotStrand {
  readonly name: string;
  readonly colour: PlotColour;
  readonly width: number;
  readonly opacity: number;
  /** Their ends: x0, y0, x1, y1 of each. */
  readonly segments: readonly number[];
  /** The legend's entry that hides it. */
  readonly group: string;
}

/** An entry of a chart's legend. */
export interface PlotEntry {
  readonly label: string;
  /** The group that it hides; absent for one that always stays. */
  readonly group?: string;
  readonly mark: "line" | "dash" | "dotted" | "band" | "lineages" | "dots";
  readonly colour: PlotColour;
  /** Opacity of its sample. Defaults to 1. */
  readonly opacity?: number;
}

/** A labelled position, marked by a vertical line. */
interface PlotMark {
  readonly x: number;
  readonly label: string;
  /** Defaults to "accent". */
  readonly colour?: PlotColour;
}

/** A fact about a position of a chart. */
interface PlotFact {
  readonly label: string;
  readonly value: string;
  readonly colour?: PlotColour;
}

/** The members of a population in a chart. */
interface PlotMembers {
  /**
   * The member that is nearest to the pointer at a position; null for none.
   * @param away distance of a value from the pointer in pixels; infinite beyond reach
   */
  readonly near: (position: number, away: (value: number) => number) => number | null;
  /** The line of a member and its ancestors, latest first. */
  readonly trace: (member: number) => { readonly colour: PlotColour; readonly points: readonly PlotPoint[] };
}

export type PlotPoint = readonly [x: number, y: number];

/** The content of a chart. */
export interface PlotModel {
  /** The quantity of the horizontal axis. Charts of a page with the same one share crosshair and zoom. */
  readonly axis: "generation" | "steps" | "time" | "iteration";
  /** The quantity of the vertical axis, with its unit. By default, what the chart's title says. */
  readonly valueLabel?: string;
  /** Positions in ascending order. */
  readonly x: readonly number[];
  readonly lines: readonly PlotLine[];
  readonly bands?: readonly PlotBand[];
  readonly dots?: readonly PlotDots[];
  /** @param smoothing weight of earlier values in smoothed lines */
  readonly strands?: (smoothing: number) => readonly PlotStrand[];
  readonly members?: PlotMembers;
  /** Whether values are on a logarithmic axis unless the user chooses. Defaults to false. */
  readonly log?: boolean;
  /** Ends of the vertical axis before zooming. By default, it fits all values. */
  readonly range?: readonly [number, number];
  /** Values marked by a dashed horizontal line, always within the axis before zooming. */
  readonly bounds?: readonly number[];
  readonly boundColour?: PlotColour;
  readonly marks?: readonly PlotMark[];
  /** Whether lines bridge positions without a value, as for runs with different positions. */
  readonly joined?: boolean;
  /** Whether the values of lines with few values are drawn as dots too. */
  readonly dotted?: boolean;
  /** Facts beside the crosshair. By default, those of the readout. */
  readonly facts?: (position: number) => readonly PlotFact[];
  /** A position in words. Defaults to its place on the axis. */
  readonly place?: (position: number) => string;
  readonly format: (value: number) => string;
  readonly formatX: (value: number) => string;
}

/** Words below the horizontal axis. */
export const AXIS_LABELS: Readonly<Record<PlotModel["axis"], string>> = {
  generation: "generation",
  iteration: "iteration",
  steps: "population steps",
  time: "training time",
};

/** Whether the readout includes a line. */
export const isRead = ({ read, width }: PlotLine): boolean => read ?? width > 0;

/** The values at a position of a chart. */
export function factsAt(model: PlotModel, at: number): readonly PlotFact[] {
  return model.lines.filter(isRead).flatMap(({ label, values, colour }) => {
    const value = values[at];
    return value !== null && value !== undefined ? [{ label, value: model.format(value), colour }] : [];
  });
}

/** A position in words, such as "generation 12". */
export function placeOf({ axis, formatX, x, place }: PlotModel, at: number): string {
  if (place !== undefined) return place(at);
  const position = formatX(x[at] ?? Number.NaN);
  if (axis === "steps") return `${position} steps`;
  return axis === "time" ? position : `${axis} ${position}`;
}

/** The values at a position of a chart, such as "generation 12: median 3.2, elite 4". */
export function readoutOf(model: PlotModel, at: number | null): string {
  const position = at === null ? undefined : model.x[at];
  if (at === null || position === undefined) return "";
  const values = factsAt(model, at).map(({ label, value }) => `${label} ${value}`);
  const marks = (model.marks ?? []).filter(({ x }) => x === position).map(({ label }) => label);
  return `${placeOf(model, at)}: ${[...values, ...marks].join(", ")}`;
}

/** The index of the first position that is not below a value. */
export function firstAtLeast(x: ArrayLike<number>, value: number): number {
  let [low, high] = [0, x.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((x[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

const isTold = ({ lines }: PlotModel, at: number): boolean =>
  lines.some((line) => isRead(line) && line.values[at] !== null && line.values[at] !== undefined);

/** The index of the position nearest to a value that has something to read out; null for none. */
export function nearestPosition(model: PlotModel, value: number): number | null {
  const { x } = model;
  let right = firstAtLeast(x, value);
  let left = right - 1;
  while (right < x.length && !isTold(model, right)) right += 1;
  while (left >= 0 && !isTold(model, left)) left -= 1;
  if (left < 0) return right < x.length ? right : null;
  if (right >= x.length) return left;
  return value - (x[left] ?? 0) < (x[right] ?? 0) - value ? left : right;
}

/**
 * Why the values cannot be on a logarithmic axis; null if they can.
 */
export function logProblem({ lines, dots = [] }: PlotModel): string | null {
  const isBad = (value: number | null): boolean => value !== null && value <= 0;
  const found =
    lines.some(({ values }) => values.some(isBad)) || dots.some(({ y }) => Array.from(y).some(isBad));
  return found ? "A logarithmic axis needs values above 0." : null;
}

/** Maximum number of values that are drawn as dots; more would touch each other. */
const MOST_DOTS = 60;

/**
 * Whether a line's values are drawn as dots too: a single value, which is no line, or, if `dotted`, few values among
 * more positions, such as evaluations among generations.
 */
export function hasDots(values: ArrayLike<number | null | undefined>, dotted = false): boolean {
  let known = 0;
  for (let at = 0; at < values.length && known <= MOST_DOTS; at += 1)
    if (Number.isFinite(values[at] ?? Number.NaN)) known += 1;
  if (known === 1) return true;
  return dotted && known > 0 && known < values.length && known <= MOST_DOTS;
}

/** The position that is some told positions further; the first or last at an end. @param at null to start at an end */
export function steppedPosition(model: PlotModel, at: number | null, by: number): number | null {
  const { length } = model.x;
  const way = Math.sign(by);
  let found = at;
  let left = Math.abs(by);
  for (
    let next = at === null ? (way > 0 ? 0 : length - 1) : at + way;
    next >= 0 && next < length && left > 0;
    next += way
  )
    if (isTold(model, next)) [found, left] = [next, left - 1];
  return found;
}
