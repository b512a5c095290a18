/** Goals as agents observe them. */
import {
  cast,
  type Dim,
  equal,
  iota,
  mul,
  reshape,
  select,
  sum,
  type Tensor,
} from "../../../../kernels/index.ts";
import type { Scene } from "./Scene.ts";

/** One-hot rows of `index` (f32 [num_envs]), bool [num_envs, width]. */
const marks = (index: Tensor, width: number): Tensor =>
  equal(reshape(index, [index.shape[0] as Dim, 1]), cast(iota(width), "f32"));

/** Position of a goal's landmark, f32 [num_envs, 2]. */
export function goalPlace({ num_envs, landmarks, goals }: Scene, which = 0): Tensor {
  const count = landmarks.shape[1] as number;
  const here = cast(marks(goals[which] as Tensor, count), "f32");
  return sum(mul(landmarks, reshape(here, [num_envs, count, 1])), 1);
}

/** A colour with one brighter channel, f32 [num_envs, 3]. `channel`: integers as f32 [num_envs]. */
export const colour = (channel: Tensor, dull: number, bright: number): Tensor =>
  select(marks(channel, 3), bright, dull);
