/** Images in the form that networks take as input. */
import { concat, type Dim, mul, reshape, slice, sub, type Tensor } from "../../kernels/index.ts";
import { type Box, flatSize, imageLayout } from "../spaces/index.ts";

/** Pixels [n, width], channels last. `normalized`: scaled to [0, 1] by the space's bounds, if it has them. */
export function imageInput(space: Box, obs: Tensor, normalized: boolean): Tensor {
  const n = obs.shape[0] as Dim;
  const { shape, channelsLast, bounds } = imageLayout(space);
  const [channels, height, width] = shape;
  const rows = reshape(obs, [n, flatSize(space)]);
  const places = height * width;
  const ordered =
    channelsLast || channels === 1
      ? rows
      : reshape(
          concat(
            Array.from({ length: channels }, (_, i) =>
              reshape(slice(rows, i * places, places), [n, places, 1]),
            ),
          ),
          [n, flatSize(space)],
        );
  if (!normalized || bounds === null || (bounds.low === 0 && bounds.high === 1)) return ordered;
  const span = bounds.high - bounds.low;
  // With equal bounds the image is constant and carries no information, so its scale does not matter.
  return mul(sub(ordered, bounds.low), span > 0 ? 1 / span : 1);
}
