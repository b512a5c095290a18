import type { DrawingContext, DrawingTheme } from "../drawing/drawing.ts";
import { at, bar, scene } from "../drawing/scene.ts";
import { box, ground, inBody, polygon } from "../planck/drawBodies.ts";
import {
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
/** Length of a flame at full power, m. */
const FLAME = 1.3;

type State = ArrayLike<number>;

const groundY = (state: State, point: number): number => at(state, STATE.heights + point);

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
  polygon(context, LANDER_OUTLINE, theme.ink);
}

/** A lander over its pad between two flags. The state has the layout of geometry.ts. */
export const drawLunarLander = scene(
  { left: 0, right: WORLD_WIDTH, bottom: 0, top: WORLD_HEIGHT },
  (context, state, _action, theme) => {
    const line = Array.from({ length: GROUND_POINTS }, (_, i) => ({ x: groundX(i), y: groundY(state, i) }));
    ground(context, line, theme);
    for (const point of HELIPAD_ENDS) flag(context, groundX(point), groundY(state, point), theme);
    for (const body of [1, 2]) inBody(context, state, body, () => box(context, LEG_SIZE, theme.ink));
    inBody(context, state, 0, () => lander(context, state, theme));
  },
);
