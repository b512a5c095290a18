/** Sizes of LunarLander's world, in metres unless said otherwise: Gymnasium draws 30 pixels for each metre. */
export const PIXELS_PER_METRE = 30;
/** The part of the world that is seen and may be flown in: 600 by 400 pixels. */
export const WORLD_WIDTH = 600 / PIXELS_PER_METRE;
export const WORLD_HEIGHT = 400 / PIXELS_PER_METRE;
/** Ends of the ground's straight pieces. */
export const GROUND_POINTS = 11;
/** Height that the lander's place is measured from. The pad itself lies 1% lower, as `groundHeights` smooths it. */
export const HELIPAD_HEIGHT = WORLD_HEIGHT / 4;
/** Ground points between which the pad lies. */
export const HELIPAD_ENDS = [4, 6] as const;

const metres = (pixels: readonly (readonly [number, number])[]) =>
  pixels.map(([x, y]) => ({ x: x / PIXELS_PER_METRE, y: y / PIXELS_PER_METRE }));

/** Outline of the lander about its origin. */
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
/** From a leg's centre to its joint: sideways (times the side's sign) and up. */
export const LEG_JOINT = { x: 20 / PIXELS_PER_METRE, y: 18 / PIXELS_PER_METRE };
/** Left and right: the signs that mirror what belongs to a leg. */
export const LEG_SIDES = [-1, 1] as const;

/** X of a ground point. */
export const groundX = (point: number): number => (WORLD_WIDTH / (GROUND_POINTS - 1)) * point;

/**
 * Heights of the ground's points. `draws`: GROUND_POINTS + 1 uniform numbers in [0, 1). The five points about the
 * pad are levelled before all are smoothed over three neighbours, whose weights of 0.33 sum to 0.99.
 */
export function groundHeights(draws: readonly number[]): number[] {
  const raw = draws.map((draw) => (draw * WORLD_HEIGHT) / 2);
  for (let i = HELIPAD_ENDS[0] - 1; i <= HELIPAD_ENDS[1] + 1; i++) raw[i] = HELIPAD_HEIGHT;
  return Array.from(
    { length: GROUND_POINTS },
    (_, i) => 0.33 * (at(raw, i - 1) + at(raw, i) + at(raw, i + 1)),
  );
}

/** By position, from the end for negative ones. */
const at = (values: readonly number[], index: number): number => values.at(index) ?? 0;
