import type { DrawingContext, DrawingTheme } from "../drawing/drawing.ts";
import { at, bars, disc, flag, scene } from "../drawing/scene.ts";
import { box, ground, inBody, polygon } from "../planck/drawBodies.ts";
import {
  BOX_NUMBERS,
  GOAL_X,
  HULL_OUTLINE,
  LEG_LENGTH,
  LIDAR_RANGE,
  LIDAR_RAYS,
  LOWER_SIZE,
  MOST_BOXES,
  STATE,
  TERRAIN_POINTS,
  TERRAIN_STEP,
  terrainX,
  UPPER_SIZE,
  VIEW_HEIGHT,
  VIEW_WIDTH,
} from "./geometry.ts";

/** What a picture shows, m: less than the view of the physics, so that the walker is large enough to be seen. */
const SHOWN = { left: 0, right: 0.62 * VIEW_WIDTH, bottom: 0.12 * VIEW_HEIGHT, top: 0.74 * VIEW_HEIGHT };
/** Where the hull is in the picture, as a part of its width. */
const HULL_PLACE = 1 / 4;
/** Heights of the hull between which the view does not move up or down, m: obstacles may lead above or below it. */
const LEVELS = { lowest: 4.5, highest: 8.5 };
/** How far beyond the view the terrain is drawn, m, because a canvas may be wider than the view. */
const MARGIN = 2 * SHOWN.right;
const FLAG_SIZE = 50 / 30;
const START_FLAG_X = 3 * TERRAIN_STEP;
/** Radius of a joint without torque, and its growth at full torque, m. */
const JOINT = { radius: 0.06, growth: 0.09 };

type State = ArrayLike<number>;

function terrain(context: DrawingContext, state: State, x: number, theme: DrawingTheme): void {
  const visible = (from: number, to: number): boolean => to > x - MARGIN && from < x + MARGIN;
  const line = Array.from({ length: TERRAIN_POINTS }, (_, i) => ({
    x: terrainX(i),
    y: at(state, STATE.heights + i),
  })).filter((point) => visible(point.x, point.x));
  ground(context, line, theme);
  for (let first = STATE.boxes; first < STATE.boxes + MOST_BOXES * BOX_NUMBERS; first += BOX_NUMBERS) {
    const [left, bottom, width, height] = [0, 1, 2, 3].map((i) => at(state, first + i)) as [
      number,
      number,
      number,
      number,
    ];
    if (width === 0 || !visible(left, left + width)) continue;
    context.beginPath();
    context.rect(left, bottom, width, height);
    context.fillStyle = theme.muted;
    context.fill();
  }
}

function lidar(context: DrawingContext, state: State, theme: DrawingTheme): void {
  const [x, y] = [at(state, 0), at(state, 1)];
  context.globalAlpha = 0.35;
  const rays = LIDAR_RAYS.map((ray, i) => {
    const fraction = at(state, STATE.lidar + i);
    return {
      fraction,
      end: [x + ray.x * LIDAR_RANGE * fraction, y + ray.y * LIDAR_RANGE * fraction] as const,
    };
  });
  bars(
    context,
    rays.map(({ end }) => [[x, y], end] as const),
    0.03,
    theme.accent,
  );
  for (const { fraction, end } of rays) if (fraction < 1) disc(context, ...end, 0.07, theme.accent);
  context.globalAlpha = 1;
}

/** A leg with its joints, which grow with the torque of their motors. @param leg 0 or 1. */
function legOf(context: DrawingContext, state: State, leg: number, theme: DrawingTheme): void {
  const [upper, lower] = [1 + 2 * leg, 2 + 2 * leg];
  const color = leg === 0 ? theme.muted : theme.accent;
  const joint = (y: number, motor: number): void => {
    const effort = Math.abs(at(state, STATE.motors + motor));
    disc(context, 0, y, JOINT.radius + JOINT.growth * effort, theme.ink);
  };
  inBody(context, state, lower, () => box(context, LOWER_SIZE, color));
  inBody(context, state, upper, () => {
    box(context, UPPER_SIZE, color);
    joint(-LEG_LENGTH / 2, 2 * leg + 1);
    joint(LEG_LENGTH / 2, 2 * leg);
  });
}

/** Where the hull is, m. */
export const hullPlace = (state: State): number => at(state, 0);

/** A walker whose hull stays at one place of the view, over terrain that passes. The state has the layout of geometry.ts. */
export const drawBipedalWalker = scene(SHOWN, (context, state, _action, theme) => {
  const [x, y] = [at(state, 0), at(state, 1)];
  const shown = Math.max(LEVELS.lowest, Math.min(LEVELS.highest, y));
  context.translate(SHOWN.right * HULL_PLACE - x, shown - y);
  terrain(context, state, x, theme);
  for (const place of [START_FLAG_X, GOAL_X]) {
    const point = Math.round(place / TERRAIN_STEP);
    flag(context, place, at(state, STATE.heights + point), FLAG_SIZE, theme);
  }
  lidar(context, state, theme);
  legOf(context, state, 0, theme);
  inBody(context, state, 0, () => polygon(context, HULL_OUTLINE, theme.ink));
  legOf(context, state, 1, theme);
});
