import type { DrawEnvironment } from "../../drawing/drawing.ts";
import { at, bars, disc, scene } from "../../drawing/scene.ts";
import { CELLS, SIZE } from "./board.ts";

const LAST = SIZE - 1;
const RADIUS = 0.44;
const MARGIN = 0.75;

/**
 * A board with stones on its crossings: the first player's in the page's accent, the second's in its ink. A ring marks the
 * last move.
 */
export const drawGo: DrawEnvironment = scene(
  { left: -MARGIN, right: LAST + MARGIN, bottom: -MARGIN, top: LAST + MARGIN },
  (context, state, action, theme) => {
    context.globalAlpha = 0.55;
    const lines = Array.from({ length: SIZE }, (_, i) => [
      [[i, 0] as const, [i, LAST] as const] as const,
      [[0, i] as const, [LAST, i] as const] as const,
    ]);
    bars(context, lines.flat(), 0.045, theme.muted);
    disc(context, LAST / 2, LAST / 2, 0.1, theme.muted);
    context.globalAlpha = 1;
    for (let cell = 0; cell < CELLS; cell++) {
      const stone = Math.round(at(state, cell));
      if (stone === 0) continue;
      const [x, y] = [cell % SIZE, LAST - Math.floor(cell / SIZE)];
      disc(context, x, y, RADIUS, stone > 0 ? theme.accent : theme.ink);
      if (cell === action) disc(context, x, y, RADIUS / 3, theme.ground);
    }
  },
);
