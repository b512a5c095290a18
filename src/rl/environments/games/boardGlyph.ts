import type { Glyph } from "../drawing/drawing.ts";

type Places = readonly (readonly [x: number, y: number])[];

/** Discs as a path. */
const discs = (radius: number, places: Places): string =>
  places
    .map(
      ([x, y]) =>
        `M${x + radius} ${y}a${radius} ${radius} 0 1 1-${2 * radius} 0 ${radius} ${radius} 0 1 1 ${2 * radius} 0z`,
    )
    .join("");

/**
 * Glyph of a board with some stones.
 * @param board Path of the board.
 * @param first Centres of the first player's stones.
 */
export const boardGlyph = (board: string, first: Places, second: Places): Glyph => [
  { path: board },
  { path: discs(1.5, first), style: "moving" },
  { path: discs(3.2, second), style: "body" },
];
