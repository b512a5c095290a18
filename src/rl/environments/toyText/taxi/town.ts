/** The taxi's town: its grid, walls and stops, and the directions of the actions. */
import type { Directions } from "../../dynamics/gridMove.ts";

export const TAXI_SIZE = { rows: 5, cols: 5 };
export const TAXI_DIRECTIONS: Directions = { down: 0, up: 1, right: 2, left: 3 };

/** Stops where passengers wait and want to go: red, green, yellow, blue. */
export const TAXI_STOPS: readonly (readonly [row: number, col: number])[] = [
  [0, 0],
  [0, 4],
  [4, 0],
  [4, 3],
];

/** Walls, each at the right side of a cell. */
export const TAXI_WALLS: readonly (readonly [row: number, col: number])[] = [
  [0, 1],
  [1, 1],
  [3, 0],
  [3, 2],
  [4, 0],
  [4, 2],
];

/** Value of `passenger` while the passenger is in the taxi. */
export const TAXI_INSIDE = 4;
