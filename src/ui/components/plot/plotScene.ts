import { type PlotRange, type PlotViews, plotSlug } from "../../routes/plotViews.ts";
import { drawable } from "../../series/scales.ts";
import { rangeBetween } from "./blockRanges.ts";
import {
  firstAtLeast,
  hasDots,
  logProblem,
  type PlotBand,
  type PlotDots,
  type PlotLine,
  type PlotModel,
  type PlotStrand,
} from "./PlotModel.ts";
import { type PlotScale, plotScale, toPixel } from "./plotScale.ts";
import { smoothed } from "./smoothed.ts";

/** A line as drawn. */
export interface ShownLine extends PlotLine {
  readonly opacity: number;
  /** Whether its values are drawn as dots too. */
  readonly points: boolean;
}

/** What a chart draws, without its place: lines after smoothing, less what the user has hidden. */
export interface PlotContent {
  readonly x: readonly number[];
  readonly lines: readonly ShownLine[];
  /** Indices of lines are those of `lines`. */
  readonly bands: readonly PlotBand[];
  readonly dots: readonly PlotDots[];
  readonly strands: readonly PlotStrand[];
  readonly joined: boolean;
}

/** What a user sees of a chart. */
export type ChartView = Pick<PlotViews, "smoothing" | "hidden">;

/** Raw values behind smoothed ones. */
const FAINT = 0.28;

/** What a chart draws after smoothing, less what the user has hidden. */
export function plotContent(model: PlotModel, { smoothing, hidden }: ChartView): PlotContent {
  const isShown = (group: string | undefined): boolean =>
    group === undefined || hidden.length === 0 || !hidden.includes(plotSlug(group));
  const raw: ShownLine[] = [];
  const places = new Map<number, number>();
  const lines: ShownLine[] = [];
  for (const [at, line] of model.lines.entries()) {
    if (!isShown(line.group ?? line.label)) continue;
    const points = line.width > 0 && hasDots(line.values, model.dotted);
    const isSmoothed = smoothing > 0 && line.width > 0 && line.steady !== true;
    if (isSmoothed) raw.push({ ...line, width: 1, opacity: FAINT, points: false, read: false });
    places.set(at, lines.length);
    lines.push({
      ...line,
      values: isSmoothed ? smoothed(line.values, smoothing) : line.values,
      opacity: 1,
      points,
    });
  }
  const bands = (model.bands ?? []).flatMap((band) => {
    const [upper, lower] = band.between.map((at) => places.get(at));
    if (upper === undefined || lower === undefined || !isShown(band.group)) return [];
    return [{ ...band, between: [upper + raw.length, lower + raw.length] as const }];
  });
  return {
    x: model.x,
    lines: [...raw, ...lines],
    bands,
    dots: (model.dots ?? []).filter(({ group }) => isShown(group)),
    strands: (model.strands?.(smoothing) ?? []).filter(({ group }) => isShown(group)),
    joined: model.joined ?? false,
  };
}

/** Everything that draws a chart. */
export interface PlotScene {
  readonly model: PlotModel;
  readonly content: PlotContent;
  readonly x: PlotScale;
  readonly y: PlotScale;
  readonly width: number;
  readonly height: number;
}

/** Pixels around the area of a chart. At the right, half a label of the horizontal axis has room. */
export const MARGIN = { top: 10, right: 28, left: 60, bottom: 26, label: 18 } as const;

/** Pixels that a label of an axis needs. */
const SPACE = { x: 70, whole: 48, y: 40 } as const;

/** Ends that are apart, around the given ones. */
function apart([low, high]: PlotRange, log: boolean): PlotRange {
  if (high > low) return [low, high];
  if (!(high === low)) return log ? [0.1, 1] : [0, 1];
  if (log) return [low / 2, low * 2];
  const room = Math.max(0.5, Math.abs(low) * 0.1);
  return [low - room, low + room];
}

/** The positions of a chart: of its lines and of its dots, which may be later. */
export function positionRange({ x, dots = [] }: PlotModel): PlotRange {
  let [low, high] = [x[0] ?? Number.POSITIVE_INFINITY, x.at(-1) ?? Number.NEGATIVE_INFINITY];
  for (const { x: at } of dots)
    for (let index = 0; index < at.length; index += 1) {
      const value = at[index] ?? Number.NaN;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  return [low, high];
}

/** Range of the values within horizontal ends, with some room; a logarithmic axis ignores what is not positive. */
export function valueRange(
  {
    lines,
    dots,
    x,
  }: Pick<PlotContent, "dots" | "x"> & { readonly lines: readonly Pick<PlotLine, "values">[] },
  within: PlotRange,
  always: readonly number[],
  log: boolean,
): PlotRange {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const take = (value: number | null | undefined): void => {
    if (value === null || value === undefined || (log && value <= 0)) return;
    if (value < low) low = value;
    if (value > high) high = value;
  };
  const [first, end] = [firstAtLeast(x, within[0]), firstAtLeast(x, within[1])];
  // One position beyond each end, to which lines go on.
  const [from, to] = [Math.max(0, first - 1), Math.min(x.length - 1, end)];
  for (const { values } of lines) {
    const [least, most] = rangeBetween(values, from, to + 1, log);
    if (least <= most) {
      take(least);
      take(most);
    }
  }
  for (const { x: at, y } of dots)
    for (let index = 0; index < y.length; index += 1) {
      const place = at[index] ?? Number.NaN;
      if (place >= within[0] && place <= within[1]) take(y[index]);
    }
  for (const value of always) take(value);
  if (low >= high) return apart([low, high], log);
  if (log) return [low / 1.15, high * 1.15];
  const room = (high - low) * 0.06;
  return [low - room, high + room];
}

interface Place {
  readonly width: number;
  readonly height: number;
  /** Slug of the chart. */
  readonly chart: string;
}

/** Whether a chart's values are on a logarithmic axis. */
export const isLog = (model: PlotModel, chart: string, { log }: PlotViews): boolean =>
  (log[chart] ?? model.log ?? false) && (model.log === true || logProblem(model) === null);

/** Whether the horizontal axis is logarithmic, which needs positions above 0. */
export const isLogX = (model: PlotModel, { logX }: PlotViews): boolean =>
  logX.includes(model.axis) && positionRange(model)[0] > 0;

/** A chart in its place, as far as the user has zoomed. */
export function plotScene(
  model: PlotModel,
  content: PlotContent,
  views: PlotViews,
  { width, height, chart }: Place,
): PlotScene {
  const logX = isLogX(model, views);
  const log = isLog(model, chart, views);
  const all = positionRange(model);
  const chosen = views.x[model.axis];
  const isZoomed = chosen !== undefined && !(logX && chosen[0] <= 0);
  const xDomain = isZoomed ? chosen : apart(all, logX);
  const own = views.y[chart];
  const fitted = (): PlotRange =>
    model.range !== undefined && !isZoomed && !(log && model.range[0] <= 0)
      ? model.range
      : valueRange(content, xDomain, isZoomed ? [] : (model.bounds ?? []), log);
  const yDomain = drawable(...(own !== undefined && !(log && own[0] <= 0) ? own : fitted()));
  const bottom = MARGIN.bottom + MARGIN.label;
  const left = MARGIN.left + (model.valueLabel === undefined ? 0 : MARGIN.label);
  const right = Math.max(left + 1, width - MARGIN.right);
  const isWhole = model.axis === "generation" || model.axis === "iteration";
  return {
    model,
    content,
    x: plotScale(
      { domain: xDomain, pixels: [left, right], log: logX },
      isWhole ? SPACE.whole : SPACE.x,
      isWhole,
    ),
    y: plotScale(
      { domain: yDomain, pixels: [Math.max(MARGIN.top + 1, height - bottom), MARGIN.top], log },
      SPACE.y,
    ),
    width,
    height,
  };
}

/** Pieces of lines in SVG's syntax of paths. @param ratio pixels of the drawing per pixel of the scene */
export function strandPath({ segments }: PlotStrand, { x, y }: PlotScene, ratio = 1): string {
  const parts: string[] = [];
  const point = (at: number): string =>
    `${(ratio * toPixel(x, segments[at] ?? 0)).toFixed(1)} ${(ratio * toPixel(y, segments[at + 1] ?? 0)).toFixed(1)}`;
  for (let at = 0; at + 3 < segments.length; at += 4) parts.push(`M${point(at)}L${point(at + 2)}`);
  return parts.join("");
}
