import type { Across } from "./across.ts";

/** The part of the lineage that a canvas shows. */
export interface Viewport {
  /** The place at the canvas's left edge; places are rows where generations have equal distances. */
  readonly row: number;
  /** The fractional lane at the canvas's top edge. */
  readonly lane: number;
  /** Pixels from one generation to the next, on average. */
  readonly dx: number;
  /** Pixels from one lane to the next. */
  readonly dy: number;
}

/** Size of the canvas in CSS pixels, and of the lineage in rows and lanes. */
export interface Stage {
  readonly width: number;
  readonly height: number;
  readonly rows: number;
  readonly lanes: number;
}

/** Margins in pixels around the first and last agents. */
export const MARGIN = { left: 20, right: 28, top: 34, bottom: 14 } as const;

/**
 * Pixels between generations: minimum in the initial view, and at the closest zoom; between lanes: maximum
 * when fitted, and at the closest zoom.
 */
const FAR = 18;
const NEAR = 128;
const WIDEST_LANE = 96;
const NEAR_LANE = 24;

/** Pixels between lanes with all of them visible. */
const fittedLane = ({ height, lanes }: Stage): number =>
  Math.min(WIDEST_LANE, (height - MARGIN.top - MARGIN.bottom) / Math.max(1, lanes - 1));

/** Pixels between generations with all of them visible. */
const fittedRow = ({ width, rows }: Stage): number =>
  (width - MARGIN.left - MARGIN.right) / Math.max(1, rows - 1);

const clamp = (value: number, low: number, high: number): number =>
  Math.min(Math.max(value, low), Math.max(low, high));

/** Limits pixels between generations: the whole width is always used, and few generations may need more than a zoom. */
const rowWithin = (dx: number, stage: Stage): number =>
  clamp(dx, fittedRow(stage), Math.max(fittedRow(stage), NEAR));

/** Limits a viewport so that it shows no empty space beyond the margins. */
export function contained(view: Viewport, stage: Stage): Viewport {
  const dx = rowWithin(view.dx, stage);
  const dy = clamp(view.dy, fittedLane(stage), Math.max(fittedLane(stage), NEAR_LANE));
  const seenRows = (stage.width - MARGIN.right) / dx;
  const seenLanes = (stage.height - MARGIN.bottom) / dy;
  return {
    dx,
    dy,
    row: clamp(view.row, -MARGIN.left / dx, stage.rows - 1 - seenRows),
    lane: clamp(view.lane, -MARGIN.top / dy, stage.lanes - 1 - seenLanes),
  };
}

/** All generations at once. */
export const whole = (stage: Stage): Viewport => contained({ row: 0, lane: 0, dx: 0, dy: 0 }, stage);

/** The newest generations at a zoom that keeps marks distinguishable; all of them while they fit. */
export const newest = (stage: Stage, dx = Math.max(FAR, fittedRow(stage))): Viewport =>
  contained({ row: stage.rows, lane: 0, dx, dy: 0 }, stage);

/** Whether the newest generation is visible. */
export const showsNewest = (view: Viewport, stage: Stage): boolean =>
  screenX(view, stage.rows - 1) <= stage.width;

/** Zooms in (factor above 1) or out, keeping the point under (x, y) in place. */
export function zoomed(view: Viewport, factor: number, x: number, y: number, stage: Stage): Viewport {
  const dx = rowWithin(view.dx * factor, stage);
  const dy = clamp(view.dy * factor, fittedLane(stage), Math.max(fittedLane(stage), NEAR_LANE));
  const moved = { dx, dy, row: rowAt(view, x) - x / dx, lane: laneAt(view, y) - y / dy };
  return contained(moved, stage);
}

/** Pans by pixels, in the direction of a drag. */
export const panned = (view: Viewport, x: number, y: number, stage: Stage): Viewport =>
  contained({ ...view, row: view.row - x / view.dx, lane: view.lane - y / view.dy }, stage);

/** Pans by the minimum that makes a row and lane visible. */
export function revealing(view: Viewport, row: number, lane: number, stage: Stage): Viewport {
  const edge = 24;
  const [x, y] = [screenX(view, row), screenY(view, lane)];
  const right = clamp(x, MARGIN.left + edge, stage.width - MARGIN.right - edge) - x;
  const down = clamp(y, MARGIN.top, stage.height - MARGIN.bottom) - y;
  return panned(view, right, down, stage);
}

export const screenX = (view: Viewport, row: number): number => (row - view.row) * view.dx;
export const screenY = (view: Viewport, lane: number): number => (lane - view.lane) * view.dy;
export const rowAt = (view: Viewport, x: number): number => view.row + x / view.dx;
export const laneAt = (view: Viewport, y: number): number => view.lane + y / view.dy;

/** Minimum pixels between drawn generations; closer ones are thinned out. */
const CLOSEST = 3;

/** The first and last row to draw, and the step between drawn rows. */
export function drawnRows(
  view: Viewport,
  { width, rows }: Pick<Stage, "width" | "rows">,
  { rowNear }: Pick<Across, "rowNear">,
): {
  readonly first: number;
  readonly last: number;
  readonly step: number;
} {
  const step = Math.max(1, Math.ceil(CLOSEST / view.dx));
  // The nearest row may be within the part, so one more is drawn at each end.
  const first = Math.max(0, Math.floor((rowNear(rowAt(view, 0)) - 1) / step) * step);
  const last = Math.min(rows - 1, rowNear(rowAt(view, width)) + 1 + step);
  return { first, last, step };
}
