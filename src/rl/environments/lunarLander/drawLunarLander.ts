import type { DrawingContext, DrawingTheme } from "../drawing/drawing.ts";
import { at, bar, scene } from "../drawing/scene.ts";
import {
  BODY_NUMBERS,
  GROUND_POINTS,
  groundX,
  HELIPAD_ENDS,
  LANDER_OUTLINE,
  LEG_SIZE,
  STATE,
  WORLD_HEIGHT,
  WORLD_WIDTH,
} from "./geometry.ts";

const FLAG = { pole: 1.6, width: 0.8, height: 0.5 };
/** The ground continues as scenery if the canvas is wider or taller than the view. */
const SCENERY = 30;
/** Length of a flame at full power, m. */
const FLAME = 1.3;

type State = ArrayLike<number>;

const groundY = (state: State, point: number): number => at(state, STATE.heights + point);

function ground(context: DrawingContext, state: State, theme: DrawingTheme): void {
  const outline = (): void => {
    context.beginPath();
    context.moveTo(-SCENERY, groundY(state, 0));
    for (let i = 0; i < GROUND_POINTS; i++) context.lineTo(groundX(i), groundY(state, i));
    context.lineTo(WORLD_WIDTH + SCENERY, groundY(state, GROUND_POINTS - 1));
  };
  outline();
  context.lineTo(WORLD_WIDTH + SCENERY, -SCENERY);
  context.lineTo(-SCENERY, -SCENERY);
  context.closePath();
  context.globalAlpha = 0.18;
  context.fillStyle = theme.muted;
  context.fill();
  context.globalAlpha = 1;
  outline();
  context.lineWidth = 0.08;
  context.strokeStyle = theme.muted;
  context.stroke();
}

function flag(context: DrawingContext, x: number, foot: number, theme: DrawingTheme): void {
  bar(context, [x, foot], [x, foot + FLAG.pole], 0.08, theme.ink);
  context.beginPath();
  context.moveTo(x, foot + FLAG.pole);
  context.lineTo(x + FLAG.width, foot + FLAG.pole - FLAG.height / 2);
  context.lineTo(x, foot + FLAG.pole - FLAG.height);
  context.closePath();
  context.fillStyle = theme.accent;
  context.fill();
}

/** Draws in the coordinate frame of one of the state's bodies. */
function inBody(context: DrawingContext, state: State, body: number, draw: () => void): void {
  const first = body * BODY_NUMBERS;
  context.save();
  context.translate(at(state, first), at(state, first + 1));
  context.rotate(at(state, first + 2));
  draw();
  context.restore();
}

/** A flame from (x, y) that points along (dx, dy). */
function flame(
  context: DrawingContext,
  [x, y]: readonly [number, number],
  [dx, dy]: readonly [number, number],
  theme: DrawingTheme,
): void {
  context.beginPath();
  context.moveTo(x - dy * 0.2, y + dx * 0.2);
  context.lineTo(x + dx, y + dy);
  context.lineTo(x + dy * 0.2, y - dx * 0.2);
  context.closePath();
  context.globalAlpha = 0.7;
  context.fillStyle = theme.accent;
  context.fill();
  context.globalAlpha = 1;
}

function lander(context: DrawingContext, state: State, theme: DrawingTheme): void {
  const [main, side] = [at(state, STATE.main), at(state, STATE.side)];
  if (main > 0) flame(context, [0, -0.33], [0, -FLAME * main], theme);
  if (side !== 0) flame(context, [-Math.sign(side) * 0.5, 0.4], [-side * FLAME * 0.6, 0], theme);
  context.beginPath();
  for (const [i, { x, y }] of LANDER_OUTLINE.entries()) {
    if (i === 0) context.moveTo(x, y);
    else context.lineTo(x, y);
  }
  context.closePath();
  context.fillStyle = theme.ink;
  context.fill();
}

function leg(context: DrawingContext, theme: DrawingTheme): void {
  context.beginPath();
  context.rect(-LEG_SIZE.x, -LEG_SIZE.y, 2 * LEG_SIZE.x, 2 * LEG_SIZE.y);
  context.fillStyle = theme.ink;
  context.fill();
}

/** A lander over its pad between two flags. The state has the layout of landerState.ts. */
export const drawLunarLander = scene(
  { left: 0, right: WORLD_WIDTH, bottom: 0, top: WORLD_HEIGHT },
  (context, state, _action, theme) => {
    ground(context, state, theme);
    for (const point of HELIPAD_ENDS) flag(context, groundX(point), groundY(state, point), theme);
    for (const body of [1, 2]) inBody(context, state, body, () => leg(context, theme));
    inBody(context, state, 0, () => lander(context, state, theme));
  },
);
