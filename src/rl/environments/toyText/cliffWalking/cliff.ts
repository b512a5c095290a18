/** Size of the grid, and the directions of the actions. */
import type { Directions } from "../../dynamics/gridMove.ts";

export const CLIFF_SIZE = { rows: 4, cols: 12 };
export const CLIFF_DIRECTIONS: Directions = { up: 0, right: 1, down: 2, left: 3 };
