/** Images as networks take them. */
import { concat, type Dim, mul, reshape, slice, sub, type Tensor } from "../../kernels/index.ts";
import { type Box, flatSize, imageLayout } from "../spaces/index.ts";

/** An image's numbers [n, width], channels last; `normalized`: scaled to [0, 1] by its bounds where it has them. */
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
  // An image that is the same always says nothing: 0 / 0 is 0 here.
  return mul(sub(ordered, bounds.low), span > 0 ? 1 / span : 1);
}
