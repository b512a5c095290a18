import {
  add,
  cast,
  clip,
  equal,
  greaterEqual,
  less,
  select,
  sub,
  type Tensor,
} from "../../../kernels/index.ts";
import { drawInteger } from "./numbers.ts";

/** A cell in each lane; row and column are f32 [num_envs], and row 0 is at the top. */
export interface Cell {
  readonly row: Tensor;
  readonly col: Tensor;
}

export interface GridSize {
  readonly rows: number;
  readonly cols: number;
}

/** The action for each direction; any other action stays in place. */
export interface Directions {
  readonly up: number;
  readonly right: number;
  readonly down: number;
  readonly left: number;
}

/** The cell after an action; moves stop at the border. `action`: f32 [num_envs]. */
export function gridMove({ row, col }: Cell, action: Tensor, to: Directions, { rows, cols }: GridSize): Cell {
  const is = (direction: number): Tensor => cast(equal(action, direction), "f32");
  return {
    row: clip(add(row, sub(is(to.down), is(to.up))), 0, rows - 1),
    col: clip(add(col, sub(is(to.right), is(to.left))), 0, cols - 1),
  };
}

/**
 * The action on slippery ground: the chosen one, or the direction to its left or right, with probability 1/3
 * each. The four actions must be numbered around the compass. f32 [num_envs].
 */
export function slipped(action: Tensor, draw: Tensor): Tensor {
  const turned = sub(add(action, drawInteger(draw, 3)), 1);
  return select(less(turned, 0), 3, select(greaterEqual(turned, 4), 0, turned));
}
