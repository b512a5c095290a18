import type { DrawEnvironment, DrawingContext, DrawingTheme } from "../../drawing/drawing.ts";
import { at, bar, disc, scene } from "../../drawing/scene.ts";

const [LEFT, RIGHT] = [-4, 4] as const;
const BAR = 0.5;
const SIDE = 1.5;
const PIP = 0.16;
const D = 0.42;

/** Places of the pips on a face, from its centre. */
const CORNERS = [
  [-D, D],
  [D, -D],
  [-D, -D],
  [D, D],
] as const;
const FACES: readonly (readonly (readonly [number, number])[])[] = [
  [],
  [[0, 0]],
  CORNERS.slice(0, 2),
  [[0, 0], ...CORNERS.slice(0, 2)],
  CORNERS,
  [[0, 0], ...CORNERS],
  [...CORNERS, [-D, 0], [D, 0]],
];

function drawDie(
  context: DrawingContext,
  [x, y]: readonly [number, number],
  face: number,
  color: string,
  theme: DrawingTheme,
): void {
  context.beginPath();
  context.roundRect(x - SIDE / 2, y - SIDE / 2, SIDE, SIDE, 0.3);
  context.globalAlpha = 0.16;
  context.fillStyle = theme.muted;
  context.fill();
  context.globalAlpha = face === 0 ? 0.4 : 1;
  context.lineWidth = 0.08;
  context.strokeStyle = color;
  context.stroke();
  context.globalAlpha = 1;
  for (const [right, up] of FACES[face] ?? []) disc(context, x + right, y + up, PIP, color);
}

/**
 * The last roll of the turn between both players' points, as bars towards the target: the first player's below in the
 * page's accent. Points of the turn, which a 1 would lose, are lighter.
 */
export const drawPig = (target: number): DrawEnvironment =>
  scene(
    { left: LEFT - 0.6, right: RIGHT + 0.6, bottom: -2.5, top: 2.5 },
    (context, state, _action, theme) => {
      const [turn, die, mover] = [at(state, 2), Math.round(at(state, 3)), Math.round(at(state, 4))];
      const place = (points: number) => LEFT + (RIGHT - LEFT) * Math.min(1, points / target);
      for (const [player, color] of [theme.accent, theme.ink].entries()) {
        const y = player === 0 ? -1.8 : 1.8;
        const score = at(state, player);
        context.globalAlpha = 0.16;
        bar(context, [LEFT, y], [RIGHT, y], BAR, theme.muted);
        if (player === mover && turn > 0) {
          context.globalAlpha = 0.4;
          bar(context, [LEFT, y], [place(score + turn), y], BAR, color);
        }
        context.globalAlpha = 1;
        if (score > 0) bar(context, [LEFT, y], [place(score), y], BAR, color);
      }
      // A 1 has passed the turn on: the die is still that of the player who rolled it.
      const roller = die === 1 ? 1 - mover : mover;
      drawDie(context, [0, 0], die, roller === 0 ? theme.accent : theme.ink, theme);
    },
  );
