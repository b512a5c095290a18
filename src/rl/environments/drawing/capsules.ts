/** Bodies of capsules over flat ground, seen from the side by a camera that follows them. */
import type { DrawEnvironment, DrawingContext, DrawingTheme } from "./drawing.ts";
import { bar, bars, type Frame, SHADE, scene } from "./scene.ts";

/** A segment with round ends, in metres: x forward, z up from the ground. */
export interface DrawnCapsule {
  readonly from: readonly [x: number, z: number];
  readonly to: readonly [x: number, z: number];
  readonly radius: number;
  /** Distance from the viewer; farther capsules are drawn first and fainter (default: 0). */
  readonly depth?: number;
  /** Whether the agent moves it, rather than that it is carried along (default: false). */
  readonly moving?: boolean;
}

/** What a picture shows. */
export interface BodyView {
  readonly capsules: readonly DrawnCapsule[];
  /** Where the camera is, m. */
  readonly x: number;
}

/** Depth of the visible floor below the line of the ground, m on the canvas. */
const FLOOR = 0.45;
/** Floor lines this far below the horizon look evenly spaced. */
const ROWS = [0.06, 0.15, 0.28, FLOOR];
/** How much farther apart two lines of the floor are at its near edge. */
const SPREAD = 0.5;
/** Half the width of the drawn floor; it continues beyond the frame on wide canvases. */
const REACH = 12;

/** Pixels of a metre from which the floor has lines and shadows: those of hundreds of small pictures would take too long. */
const ROOMY = 20;

/** The ground under the body, and its edge. */
function ground(context: DrawingContext, camera: number, theme: DrawingTheme): void {
  context.globalAlpha = 0.14;
  context.fillStyle = theme.muted;
  context.fillRect(camera - REACH, -40, 2 * REACH, 40);
  context.globalAlpha = 1;
  bar(context, [camera - REACH, 0], [camera + REACH, 0], 0.014, theme.muted);
}

/** The floor, whose lines lie a metre apart and pass by as the camera moves. */
function floor(context: DrawingContext, camera: number, theme: DrawingTheme): void {
  ground(context, camera, theme);
  context.globalAlpha = 0.3;
  const metres = Array.from({ length: 2 * REACH + 1 }, (_, i) => Math.ceil(camera - REACH) + i);
  const line = (x: number) => [[x, 0] as const, [x + (x - camera) * SPREAD, -FLOOR] as const] as const;
  const isFifth = (x: number): boolean => x % 5 === 0;
  bars(context, metres.filter(isFifth).map(line), 0.02, theme.muted);
  bars(
    context,
    [
      ...metres.filter((x) => !isFifth(x)).map(line),
      ...ROWS.map((row) => [[camera - REACH, -row] as const, [camera + REACH, -row] as const] as const),
    ],
    0.008,
    theme.muted,
  );
  context.globalAlpha = 1;
}

/** Pixels of a metre from which shadows have soft edges. */
const SOFT = 40;

/** Soft shadows: darker and smaller, the closer a capsule is to the ground. */
function shadows(context: DrawingContext, capsules: readonly DrawnCapsule[], scale: number): void {
  for (const { from, to, radius, depth = 0 } of capsules) {
    const height = Math.max(0, Math.min(from[1], to[1]) - radius);
    const z = -0.05 + 0.02 * depth;
    const widths = scale >= SOFT ? [1, 0.6] : [0.9];
    for (const width of widths) {
      context.globalAlpha = 0.32 / widths.length / (1 + 4 * height);
      bar(context, [from[0], z], [to[0], z], (0.06 + 0.08 * height) * width, SHADE);
    }
  }
  context.globalAlpha = 1;
}

/** Radii from which a capsule has a light, and a second one, CSS pixels. */
const [LIT, FINE] = [1.5, 4] as const;

/** A capsule with its rim, and light from above. */
function capsule(context: DrawingContext, drawn: DrawnCapsule, theme: DrawingTheme, scale: number): void {
  const { from, to, radius, depth = 0, moving = false } = drawn;
  const fade = 1 / (1 + Math.max(0, depth));
  // What is behind a faint one does not show through.
  if (fade < 1) bar(context, from, to, 2 * radius, theme.ground);
  context.globalAlpha = fade;
  bar(context, from, to, 2 * radius, theme.ink);
  if (moving) bar(context, from, to, 1.7 * radius, theme.accent);
  // Light falls from above, a little from the front.
  const shifted = ([x, z]: readonly [number, number]) => [x + 0.15 * radius, z + 0.35 * radius] as const;
  if (radius * scale >= LIT) {
    context.globalAlpha = 0.22 * fade;
    bar(context, shifted(from), shifted(to), 0.9 * radius, theme.ground);
  }
  if (radius * scale >= FINE) {
    context.globalAlpha = 0.3 * fade;
    bar(context, shifted(from), shifted(to), 0.4 * radius, theme.ground);
  }
  context.globalAlpha = 1;
}

/** A drawing of a body. `frame`: what the camera sees around it, with the ground at 0. */
export const capsuleScene = (frame: Frame, view: (state: ArrayLike<number>) => BodyView): DrawEnvironment =>
  scene(frame, (context, state, _action, theme, scale) => {
    const { capsules, x } = view(state);
    context.save();
    context.translate(-x, 0);
    if (scale >= ROOMY) {
      floor(context, x, theme);
      shadows(context, capsules, scale);
    } else ground(context, x, theme);
    const sorted = capsules.toSorted((a, b) => (b.depth ?? 0) - (a.depth ?? 0));
    for (const drawn of sorted) capsule(context, drawn, theme, scale);
    context.restore();
  });
