/** A scatter plot of two components of many observations. */
import type { VisitedSpace } from "../../../datasets/view.ts";

interface Axis {
  readonly min: number;
  readonly max: number;
}

/** The range of one component of the observations; never empty. */
export function axisOf({ values, size }: VisitedSpace, index: number): Axis {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let at = index; at < values.length; at += size) {
    const value = values[at] ?? 0;
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  return min < max ? { min, max } : { min: min - 0.5, max: max + 0.5 };
}

interface ScatterLook {
  readonly width: number;
  readonly height: number;
  readonly colour: string;
}

const RADIUS = 1.5;
/** Overlapping dots look darker. */
const OPACITY = 0.45;

/** Draws the dots: `x` from left to right, `y` from the bottom up. */
export function drawScatter(
  context: CanvasRenderingContext2D,
  space: VisitedSpace,
  [x, y]: readonly [number, number],
  { width, height, colour }: ScatterLook,
): void {
  const [across, up] = [axisOf(space, x), axisOf(space, y)];
  const { values, size } = space;
  context.clearRect(0, 0, width, height);
  context.fillStyle = colour;
  context.globalAlpha = OPACITY;
  const share = (value: number, { min, max }: Axis): number => (value - min) / (max - min);
  for (let row = 0; row < values.length; row += size) {
    const left = RADIUS + share(values[row + x] ?? 0, across) * (width - 2 * RADIUS);
    const top = height - RADIUS - share(values[row + y] ?? 0, up) * (height - 2 * RADIUS);
    context.beginPath();
    context.arc(left, top, RADIUS, 0, 2 * Math.PI);
    context.fill();
  }
  context.globalAlpha = 1;
}
