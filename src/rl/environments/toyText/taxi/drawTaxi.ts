import type { DrawingContext, DrawingTheme } from "../../drawing/drawing.ts";
import { centre, gridScene, heading, headingMark, tile } from "../../drawing/gridScene.ts";
import { at, bar, disc, flag } from "../../drawing/scene.ts";
import { TAXI_DIRECTIONS, TAXI_INSIDE, TAXI_SIZE, TAXI_STOPS, TAXI_WALLS } from "./town.ts";

const { rows, cols } = TAXI_SIZE;
const BODY = { width: 0.62, height: 0.36 };

function town(context: DrawingContext, theme: DrawingTheme): void {
  const stops = new Set(TAXI_STOPS.map((stop) => stop.join()));
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++)
      tile(context, centre(rows, row, col), theme.muted, stops.has(`${row},${col}`) ? 0.45 : 0.14);
  }
  for (const [row, col] of TAXI_WALLS)
    bar(context, [col + 1, rows - row - 0.06], [col + 1, rows - row - 0.94], 0.07, theme.ink);
}

function taxi(
  context: DrawingContext,
  [x, y]: readonly [number, number],
  carries: boolean,
  theme: DrawingTheme,
): void {
  context.beginPath();
  context.roundRect(x - BODY.width / 2, y - BODY.height / 2, BODY.width, BODY.height, 0.1);
  context.fillStyle = theme.accent;
  context.fill();
  for (const side of [-1, 1])
    disc(context, x + side * BODY.width * 0.27, y - BODY.height / 2, 0.085, theme.ink);
  disc(context, x, y, 0.11, carries ? theme.ink : theme.ground);
}

/**
 * A town with walls and four stops; the flag marks the destination of the passenger (a dot). State: row, col,
 * passenger, destination. Pick-ups and drop-offs are drawn as a bar above or below the taxi.
 */
export const drawTaxi = gridScene(TAXI_SIZE, (context, state, action, theme) => {
  town(context, theme);
  const stop = (index: number) => {
    const found = TAXI_STOPS[Math.round(index)];
    return found && centre(rows, found[0], found[1]);
  };
  const goal = stop(at(state, 3));
  if (goal) flag(context, goal[0] + 0.2, goal[1] - 0.4, 0.5, theme);
  const waiting = stop(at(state, 2));
  if (waiting) disc(context, waiting[0] - 0.28, waiting[1] + 0.26, 0.11, theme.ink);
  const place = centre(rows, at(state, 0), at(state, 1));
  taxi(context, place, Math.round(at(state, 2)) === TAXI_INSIDE, theme);
  const angle = heading(action, TAXI_DIRECTIONS);
  if (angle !== null) headingMark(context, place, angle, BODY.width / 2, theme.ink);
  else if (action !== null) {
    const y = place[1] + (action === 4 ? 0.36 : -0.36);
    bar(context, [place[0] - 0.16, y], [place[0] + 0.16, y], 0.05, theme.ink);
  }
});
