/** Bodies of MuJoCo's tasks on a canvas: shaded shapes from the farthest to the nearest, on a ground that passes by. */

import type { DrawEnvironment, DrawingContext, DrawingTheme } from "../../drawing/drawing.ts";
import { at, bar, disc, SHADE, scene } from "../../drawing/scene.ts";
import { cosine, sine } from "../../dynamics/trigonometry.ts";
import type { Vector } from "../models/mjcf.ts";
import { type ModelName, models } from "../models/models.ts";
import { placed, type Shape, type Skeleton, skeletonOf } from "./skeleton.ts";
import { type View, views } from "./views.ts";

type Point = readonly [x: number, y: number];

/** An orthographic camera. */
interface Camera {
  readonly point: (place: Vector) => Point;
  /** Grows away from the camera. */
  readonly depth: (place: Vector) => number;
  /** Sine of the angle above the ground. */
  readonly tilt: number;
}

function camera({ above, around, middle, follows }: View, root: Vector): Camera {
  const [rise, turn] = [(above * Math.PI) / 180, (around * Math.PI) / 180];
  const [sinRise, cosRise, sinTurn, cosTurn] = [sine(rise), cosine(rise), sine(turn), cosine(turn)];
  const x0 = middle[0] + (follows === null ? 0 : root[0]);
  const y0 = middle[1] + (follows === "xy" ? root[1] : 0);
  const local = ([x, y, z]: Vector): Vector => [
    (x - x0) * cosTurn + (y - y0) * sinTurn,
    (y - y0) * cosTurn - (x - x0) * sinTurn,
    z - middle[2],
  ];
  return {
    point: (place) => {
      const [right, away, up] = local(place);
      return [right, up * cosRise + away * sinRise];
    },
    depth: (place) => {
      const [, away, up] = local(place);
      return away * cosRise - up * sinRise;
    },
    tilt: sinRise,
  };
}

/** How far the ground reaches beyond what must be visible, as a factor. */
const REACH = 2.2;

/** Opacity of every second tile; the others have the background's colour. */
const TILE = 0.22;
/** How many steps tiles fade in: the tiles of one shade are one path, which is drawn faster than each alone. */
const FADES = 5;

/** Tiles around the followed body; they fade towards their edge. */
function ground(context: DrawingContext, seen: Camera, view: View, root: Vector, theme: DrawingTheme): void {
  if (view.ground === null) return;
  const [height, tile] = view.ground;
  const [x0, y0] = [
    view.middle[0] + (view.follows === null ? 0 : root[0]),
    view.middle[1] + (view.follows === "xy" ? root[1] : 0),
  ];
  const wide = view.half[0] * REACH;
  const deep = Math.min(wide, (view.half[1] * 1.4) / seen.tilt);
  const [columns, rows] = [Math.ceil(wide / tile), Math.ceil(deep / tile)];
  const [column0, row0] = [Math.floor(x0 / tile), Math.floor(y0 / tile)];
  const [left, front] = [column0 * tile, row0 * tile];
  const corner = seen.point([left, front, height]);
  const [right, back] = [
    seen.point([left + tile, front, height]),
    seen.point([left, front + tile, height]),
  ].map(([x, y]): Point => [x - corner[0], y - corner[1]]) as [Point, Point];
  const shades = new Map<number, Point[]>();
  for (let i = -columns; i <= columns; i++)
    for (let j = -rows; j <= rows; j++) {
      const [dx, dy] = [(left + (i + 0.5) * tile - x0) / wide, (front + (j + 0.5) * tile - y0) / deep];
      if ((column0 + row0 + i + j) % 2 !== 0) continue;
      const fade = Math.ceil((1 - dx * dx - dy * dy) * FADES) / FADES;
      if (fade <= 0) continue;
      const opacity = fade * TILE;
      const places = shades.get(opacity) ?? [];
      places.push([corner[0] + i * right[0] + j * back[0], corner[1] + i * right[1] + j * back[1]]);
      shades.set(opacity, places);
    }
  context.fillStyle = theme.muted;
  for (const [opacity, places] of shades) {
    context.beginPath();
    for (const [x, y] of places) {
      context.moveTo(x, y);
      context.lineTo(x + right[0], y + right[1]);
      context.lineTo(x + right[0] + back[0], y + right[1] + back[1]);
      context.lineTo(x + back[0], y + back[1]);
      context.closePath();
    }
    context.globalAlpha = opacity;
    context.fill();
  }
  context.globalAlpha = 1;
}

/** Strokes of a soft shadow: width as a multiple of the shape's, and opacity. */
const SHADOW = [
  [1.6, 0.14],
  [0.95, 0.22],
] as const;
/** Height above which a shape has no shadow, m. */
const VANISHED = 0.8;

/** The darker, the closer the shape is to the ground. */
function shadow(context: DrawingContext, seen: Camera, height: number, shape: Shape): void {
  const [from, to] = shape.ends;
  const lowest = shape.corners?.map(([, , z]) => z) ?? [from[2] - shape.radius, to[2] - shape.radius];
  const near = Math.max(0, 1 - (Math.min(...lowest) - height) / VANISHED);
  if (near === 0) return;
  if (shape.corners) {
    const outline = hullOf(shape.corners.map(([x, y]) => seen.point([x, y, height])));
    for (const [width, opacity] of SHADOW) {
      context.globalAlpha = near * near * opacity;
      fillAround(context, outline, (1 + width) / 2, 0, SHADE);
    }
    context.globalAlpha = 1;
    return;
  }
  const [a, b] = [seen.point([from[0], from[1], height]), seen.point([to[0], to[1], height])];
  for (const [width, opacity] of SHADOW) {
    context.globalAlpha = near * near * opacity;
    stroke(context, a, b, 2 * shape.radius * width * Math.max(0.35, seen.tilt), SHADE);
  }
  context.globalAlpha = 1;
}

/** A round stroke, also of no length. */
function stroke(context: DrawingContext, a: Point, b: Point, width: number, color: string): void {
  const [dx, dy] = [a[0] - b[0], a[1] - b[1]];
  if (dx * dx + dy * dy < 1e-8) disc(context, a[0], a[1], width / 2, color);
  else bar(context, a, b, width, color);
}

/** An ellipse about a point: a disc seen from the side. */
function oval(context: DrawingContext, [x, y]: Point, radius: number, tilt: number, color: string): void {
  context.save();
  context.translate(x, y);
  context.scale(1, tilt);
  disc(context, 0, 0, radius, color);
  context.restore();
}

/** How a shape is painted. */
interface Look {
  readonly color: keyof DrawingTheme;
  /** Opacity of the background's colour over it: limbs of the far side are paler. */
  readonly pale: number;
}

/** Widths of the gap around a shape and of its light, relative to its radius. */
const [GAP, LIGHT] = [0.16, 0.75];

/** Parts of a shape's light: a second, smaller one makes the edge softer where it can be seen. */
const LIGHTS = { fine: [1, 0.55], coarse: [0.75] } as const;
/** Radius from which light is fine, CSS pixels. */
const FINE = 5;

function paint(
  context: DrawingContext,
  seen: Camera,
  shape: Shape,
  look: Look,
  theme: DrawingTheme,
  scale: number,
): void {
  const { radius, type } = shape;
  const [a, b] = [seen.point(shape.ends[0]), seen.point(shape.ends[1])];
  if (type === "cylinder") {
    const [low, high] = a[1] < b[1] ? [a, b] : [b, a];
    for (const end of [low, high]) oval(context, end, radius, seen.tilt, theme[look.color]);
    context.beginPath();
    context.rect(low[0] - radius, low[1], 2 * radius, high[1] - low[1]);
    context.fillStyle = theme[look.color];
    context.fill();
    context.globalAlpha = 0.3;
    oval(context, high, radius * 0.9, seen.tilt, theme.ground);
    context.globalAlpha = 1;
    return;
  }
  if (shape.corners) {
    paintHull(context, hullOf(shape.corners.map(seen.point)), look, theme);
    return;
  }
  stroke(context, a, b, 2 * radius * (1 + GAP), theme.ground);
  stroke(context, a, b, 2 * radius, theme[look.color]);
  // Light from above and the left.
  const lights = radius * scale < FINE ? LIGHTS.coarse : LIGHTS.fine;
  for (const part of lights) {
    const shift = radius * (0.42 - 0.12 * part);
    const lit = ([x, y]: Point): Point => [x - shift * 0.5, y + shift];
    context.globalAlpha = 0.32 / lights.length;
    stroke(context, lit(a), lit(b), 2 * radius * LIGHT * part, theme.ground);
  }
  if (look.pale > 0) {
    context.globalAlpha = look.pale;
    stroke(context, a, b, 2 * radius, theme.ground);
  }
  context.globalAlpha = 1;
}

/** The outline of points on a plane, counter-clockwise (Andrew's monotone chain). */
function hullOf(points: readonly Point[]): readonly Point[] {
  const sorted = [...points].sort(([ax, ay], [bx, by]) => ax - bx || ay - by);
  const half = (from: readonly Point[]): Point[] => {
    const chain: Point[] = [];
    for (const point of from) {
      for (let [a, b] = chain.slice(-2); a && b; [a, b] = chain.slice(-2)) {
        if ((b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]) > 0) break;
        chain.pop();
      }
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.toReversed())];
}

/** Fills an outline. @param size Relative to the outline. @param shift To the left and up, relative to its width. */
function fillAround(
  context: DrawingContext,
  outline: readonly Point[],
  size: number,
  shift: number,
  color: string,
): void {
  const [xs, ys] = [outline.map(([x]) => x), outline.map(([, y]) => y)];
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [x, y] = [(left + right) / 2, (Math.min(...ys) + Math.max(...ys)) / 2];
  const [dx, dy] = [(-shift / 2) * (right - left), shift * (right - left)];
  context.beginPath();
  for (const [i, [px, py]] of outline.entries()) {
    const [ax, ay] = [x + (px - x) * size + dx, y + (py - y) * size + dy];
    if (i === 0) context.moveTo(ax, ay);
    else context.lineTo(ax, ay);
  }
  context.closePath();
  context.fillStyle = color;
  context.fill();
}

/** Sizes of a hull with its edge, and of its light; and how far the light is moved. */
const [EDGED, LIT, MOVED] = [1.08, 0.72, 0.04];

function paintHull(
  context: DrawingContext,
  outline: readonly Point[],
  look: Look,
  theme: DrawingTheme,
): void {
  fillAround(context, outline, EDGED, 0, theme.ground);
  fillAround(context, outline, 1, 0, theme[look.color]);
  context.globalAlpha = 0.16;
  fillAround(context, outline, LIT, MOVED, theme.ground);
  context.globalAlpha = look.pale;
  if (look.pale > 0) fillAround(context, outline, 1, 0, theme.ground);
  context.globalAlpha = 1;
}

const SCENERY: Look = { color: "muted", pale: 0.25 };
const OWN_LOOKS: Readonly<Record<string, Look>> = {
  target: { color: "ink", pale: 0 },
  goal: { color: "muted", pale: 0 },
  object: { color: "ink", pale: 0.2 },
  cart: { color: "ink", pale: 0.3 },
  fingertip: { color: "accent", pale: 0 },
};

const LEFT = /^left_|_left$/;

/** The look of each body: the first one is as dark as text, limbs are coloured, those of the far side paler. */
function looksOf({ bones }: Skeleton): readonly Look[] {
  const far: boolean[] = [];
  return bones.map(({ name = "", parent, joints }, i) => {
    far[i] =
      far[parent] === true ||
      [name, ...joints.map((joint) => joint.name)].some((one) => one !== undefined && LEFT.test(one));
    return OWN_LOOKS[name] ?? { color: parent < 0 ? "ink" : "accent", pale: far[i] ? 0.4 : 0 };
  });
}

/** Where the first body of a task that moves along is, m; null for other tasks. */
export const placeOf = (name: ModelName): ((state: ArrayLike<number>) => number) | null =>
  views[name].travels ? (state) => at(state, 0) : null;

/** A drawing of a task's states: positions of all joints; more numbers may follow. */
export const drawModel = (name: ModelName): DrawEnvironment =>
  drawSkeleton(views[name], () => skeletonOf(models[name]));

/** A drawing of a skeleton's states. @param make Called for the first picture. */
export function drawSkeleton(view: View, make: () => Skeleton): DrawEnvironment {
  const [width, height] = view.half;
  let prepared: { readonly skeleton: Skeleton; readonly looks: readonly Look[] } | null = null;
  return scene(
    { left: -width, right: width, bottom: -height, top: height },
    (context, state, _action, theme, scale) => {
      if (prepared === null) {
        const skeleton = make();
        prepared = { skeleton, looks: looksOf(skeleton) };
      }
      const { skeleton, looks } = prepared;
      const { shapes, root } = placed(skeleton, state);
      const seen = camera(view, root);
      ground(context, seen, view, root, theme);
      const moving = shapes.filter(({ body }) => body >= 0);
      if (view.ground !== null) for (const shape of moving) shadow(context, seen, view.ground[0], shape);
      const lookOf = ({ body }: Shape): Look => looks[body] ?? SCENERY;
      const depthOf = (shape: Shape): number =>
        (seen.depth(shape.ends[0]) + seen.depth(shape.ends[1])) / 2 + lookOf(shape).pale;
      const sorted = shapes
        .map((shape) => ({ shape, depth: depthOf(shape) }))
        .sort((a, b) => b.depth - a.depth);
      for (const { shape } of sorted) paint(context, seen, shape, lookOf(shape), theme, scale);
    },
  );
}
