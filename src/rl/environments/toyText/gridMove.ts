import { add, cast, clip, equal, sub, type Tensor } from "../../../kernels/index.ts";

/** A cell in every lane, f32 [num_envs] each; row 0 is at the top. */
export interface Cell {
  readonly row: Tensor;
  readonly col: Tensor;
}

export interface GridSize {
  readonly rows: number;
  readonly cols: number;
}

/** Which action goes where; any other stays. */
export interface Directions {
  readonly up: number;
  readonly right: number;
  readonly down: number;
  readonly left: number;
}

/** The cell an action leads to; the border holds. `action`: f32 [num_envs]. */
export function gridMove({ row, col }: Cell, action: Tensor, to: Directions, { rows, cols }: GridSize): Cell {
  const is = (direction: number): Tensor => cast(equal(action, direction), "f32");
  return {
    row: clip(add(row, sub(is(to.down), is(to.up))), 0, rows - 1),
    col: clip(add(col, sub(is(to.right), is(to.left))), 0, cols - 1),
  };
}
