import type { DrawEnvironment, DrawingContext, DrawingTheme } from "../../drawing/drawing.ts";
import { centre, gridScene, heading, tile, walker } from "../../drawing/gridScene.ts";
import { at, disc, flag } from "../../drawing/scene.ts";
import { FROZEN_LAKE_DIRECTIONS, type FrozenLakeMap } from "./frozenLakeMap.ts";

function cell(
  context: DrawingContext,
  letter: string,
  place: readonly [number, number],
  theme: DrawingTheme,
): void {
  const [x, y] = place;
  tile(context, place, theme.muted, letter === "S" ? 0.4 : 0.18);
  if (letter === "H") {
    disc(context, x, y, 0.38, theme.ink);
    disc(context, x, y, 0.33, theme.ground);
  }
  if (letter === "G") flag(context, x - 0.14, y - 0.32, 0.66, theme);
}

/** A frozen lake, its holes and its goal. State: row, col. The arrow shows the chosen direction. */
export const frozenLakeDrawing = (map: FrozenLakeMap): DrawEnvironment =>
  gridScene({ rows: map.length, cols: map[0]?.length ?? 0 }, (context, state, action, theme) => {
    for (const [row, line] of map.entries()) {
      for (let col = 0; col < line.length; col++)
        cell(context, line.charAt(col), centre(map.length, row, col), theme);
    }
    const place = centre(map.length, at(state, 0), at(state, 1));
    walker(context, place, heading(action, FROZEN_LAKE_DIRECTIONS), theme);
  });
