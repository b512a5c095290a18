import type { DrawEnvironment } from "../drawing/drawing.ts";
import { at, centre, disc, gridScene, tile } from "../drawing/scene.ts";
import type { GridSize } from "../dynamics/numbers.ts";

const RADIUS = 0.36;

/**
 * A board whose cells hold stones, the first numbers of a state. The first player's are in the page's accent, the
 * second's in its ink. A ring marks the last move.
 *
 * @param cellOf The cell that a move filled, in the state after it (default: the action is the cell).
 */
export const drawStones = (
  grid: GridSize,
  cellOf: (action: number, state: ArrayLike<number>) => number = (action) => action,
): DrawEnvironment =>
  gridScene(grid, (context, state, action, theme) => {
    const { rows, cols } = grid;
    const last = action === null ? null : cellOf(action, state);
    for (let cell = 0; cell < rows * cols; cell++) {
      const place = centre(rows, Math.floor(cell / cols), cell % cols);
      tile(context, place, theme.muted, 0.14);
      const stone = Math.round(at(state, cell));
      if (stone === 0) continue;
      disc(context, place[0], place[1], RADIUS, stone > 0 ? theme.accent : theme.ink);
      if (cell === last) disc(context, place[0], place[1], RADIUS / 3, theme.ground);
    }
  });
