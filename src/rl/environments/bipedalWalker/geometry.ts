/**
 * Sizes of BipedalWalker's world, in metres unless stated otherwise, and the layout of its state. Gymnasium draws 30
 * pixels per metre.
 */
import { cosine, sine } from "../dynamics/trigonometry.ts";
import { BODY_NUMBERS } from "../planck/drawBodies.ts";

const PIXELS_PER_METRE = 30;
/** The visible part of the world: 600 by 400 pixels. */
export const VIEW_WIDTH = 600 / PIXELS_PER_METRE;
export const VIEW_HEIGHT = 400 / PIXELS_PER_METRE;

/** Distance between two points of the terrain. */
export const TERRAIN_STEP = 14 / PIXELS_PER_METRE;
/** How many points the terrain has. */
export const TERRAIN_POINTS = 200;
/** Height of the terrain where it starts, to which it tends. */
export const TERRAIN_HEIGHT = VIEW_HEIGHT / 4;
/** Points of level ground at the start; the walker starts in its middle. */
export const START_POINTS = 20;
/** Sections between obstacles have fewer points than this, and at least half as many. */
export const GRASS_POINTS = 10;
/** X beyond which the hull has reached the end. */
export const GOAL_X = (TERRAIN_POINTS - GRASS_POINTS) * TERRAIN_STEP;

/** X of a point of the terrain. */
export const terrainX = (point: number): number => point * TERRAIN_STEP;

/** Outline of the hull, relative to its origin. */
export const HULL_OUTLINE = (
  [
    [-30, 9],
    [6, 9],
    [34, 1],
    [34, -8],
    [-30, -8],
  ] as const
).map(([x, y]) => ({ x: x / PIXELS_PER_METRE, y: y / PIXELS_PER_METRE }));

export const LEG_LENGTH = 34 / PIXELS_PER_METRE;
const LEG_WIDTH = 8 / PIXELS_PER_METRE;
/** Half the width and half the height of the upper and of the lower part of a leg. */
export const UPPER_SIZE = { x: LEG_WIDTH / 2, y: LEG_LENGTH / 2 };
export const LOWER_SIZE = { x: 0.8 * UPPER_SIZE.x, y: LEG_LENGTH / 2 };
/** Y of the hips, relative to the hull's origin. */
export const HIP_Y = -8 / PIXELS_PER_METRE;

/** Where the hull starts. */
export const START = { x: (TERRAIN_STEP * START_POINTS) / 2, y: TERRAIN_HEIGHT + 2 * LEG_LENGTH };

export const LIDAR_RANGE = 160 / PIXELS_PER_METRE;
/** Unit vectors of the ten lidar rays: from straight down to 1.35 rad ahead. */
export const LIDAR_RAYS = Array.from({ length: 10 }, (_, i) => {
  const angle = (1.5 * i) / 10;
  return { x: sine(angle), y: -cosine(angle) };
});

/** Bodies of the state: the hull, then upper and lower part of each leg. */
const BODIES = 5;
/** Obstacles have no more boxes than this: at least five points of terrain for each, after the start. */
export const MOST_BOXES = 40;
/** Numbers of a box in the state: x and y of its lower left corner, width, height. Unused boxes are zero. */
export const BOX_NUMBERS = 4;

const motors = BODIES * BODY_NUMBERS;
const standing = motors + 4;
const lidar = standing + 2;
const heights = lidar + LIDAR_RAYS.length;
const boxes = heights + TERRAIN_POINTS;

/** Indices of the numbers after those of the bodies. */
export const STATE = {
  /** Last action, -1 to 1: hip and knee of the first leg, then of the second. */
  motors,
  /** Whether the lower part of each leg stands on the ground. */
  standing,
  /** Measured distances of the lidar, as fractions of its range. */
  lidar,
  /** Heights of the terrain's points. */
  heights,
  boxes,
} as const;

export const STATE_SIZE = boxes + MOST_BOXES * BOX_NUMBERS;
