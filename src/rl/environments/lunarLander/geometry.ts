/**
 * Sizes of LunarLander's world, in metres unless stated otherwise, and the layout of its state. Gymnasium draws
 * 30 pixels per metre.
 */
export const PIXELS_PER_METRE = 30;
/** The visible part of the world: 600 by 400 pixels. */
export const WORLD_WIDTH = 600 / PIXELS_PER_METRE;
export const WORLD_HEIGHT = 400 / PIXELS_PER_METRE;
/** How many points the ground's straight segments connect. */
export const GROUND_POINTS = 11;
/** Reference height of observed positions. The pad is 1% lower, because `groundHeights` smooths it. */
export const HELIPAD_HEIGHT = WORLD_HEIGHT / 4;
/** Ground points at the ends of the pad. */
export const HELIPAD_ENDS = [4, 6] as const;

const metres = (pixels: readonly (readonly [number, number])[]) =>
  pixels.map(([x, y]) => ({ x: x / PIXELS_PER_METRE, y: y / PIXELS_PER_METRE }));

/** Outline of the lander, relative to its origin. */
export const LANDER_OUTLINE = metres([
  [-14, 17],
  [-17, 0],
  [-17, -10],
  [17, -10],
  [17, 0],
  [14, 17],
]);

/** Half the width and half the height of a leg. */
export const LEG_SIZE = { x: 2 / PIXELS_PER_METRE, y: 8 / PIXELS_PER_METRE };
/** Offset from a leg's centre to its joint: sideways (times the side's sign) and up. */
export const LEG_JOINT = { x: 20 / PIXELS_PER_METRE, y: 18 / PIXELS_PER_METRE };
/** Signs of the left and right side, which mirror a leg's coordinates. */
export const LEG_SIDES = [-1, 1] as const;

/** X of a ground point. */
export const groundX = (point: number): number => (WORLD_WIDTH / (GROUND_POINTS - 1)) * point;

/**
 * Heights of the ground's points. `draws`: GROUND_POINTS + 1 uniform numbers in [0, 1). The five points
 * around the pad are levelled; then each point becomes 0.33 times the sum of itself and its two neighbours.
 */
export function groundHeights(draws: readonly number[]): number[] {
  const raw = draws.map((draw) => (draw * WORLD_HEIGHT) / 2);
  for (let i = HELIPAD_ENDS[0] - 1; i <= HELIPAD_ENDS[1] + 1; i++) raw[i] = HELIPAD_HEIGHT;
  return Array.from(
    { length: GROUND_POINTS },
    (_, i) => 0.33 * (at(raw, i - 1) + at(raw, i) + at(raw, i + 1)),
  );
}

/** The value at an index; negative indices count from the end. */
const at = (values: readonly number[], index: number): number => values.at(index) ?? 0;

/** Indices of the numbers after those of the bodies: lander, left leg, right leg. */
export const STATE = {
  /** Power of the main engine in the last step, 0 to 1. */
  main: 18,
  /** Power of the side engines, -1 to 1: negative pushes to the left. */
  side: 19,
  /** Step counts of the wind's force and torque. */
  wind: 20,
  turbulence: 21,
  /** Heights of the ground's points. */
  heights: 22,
} as const;

export const STATE_SIZE = STATE.heights + GROUND_POINTS;
