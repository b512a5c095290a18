/** A task on small images of integers 0 .. 255. */
import {
  add,
  cast,
  concat,
  type Dim,
  div,
  equal,
  floor,
  greaterEqual,
  iota,
  mul,
  reshape,
  sub,
  type Tensor,
} from "../../../src/kernels/index.ts";
import { type CompiledEnvironment, compiledEnvironment } from "../../../src/rl/environments.ts";
import { Box, Dict, Discrete, MultiBinary } from "../../../src/rl/spaces.ts";

// A row is not a whole number of 32-bit words.
const SHAPE = [5, 3, 2] as const;
const NUMBERS = 30;

const within256 = (x: Tensor): Tensor => sub(x, mul(floor(div(x, 256)), 256));

/**
 * Each step shows a different shade, and the reward is 1 for telling whether it is bright. Images are stored
 * as bytes if `dtype` is "uint8", and as numbers if it is "float32"; nothing else differs. Episodes are
 * truncated after 7 steps.
 */
export const pictureEnvironment = (dtype: "uint8" | "float32"): CompiledEnvironment =>
  compiledEnvironment({
    id: `test/Pictures-${dtype}-v0`,
    observation_space: new Box({ low: 0, high: 255, shape: SHAPE, dtype }),
    action_space: new Discrete(2),
    max_episode_steps: 7,
    reward_threshold: null,
    resetRanges: { shade: [0, 256], time: [0, 0] },
    observe: ({ shade }) => {
      const n = shade.shape[0] as Dim;
      const pixels = add(floor(reshape(shade, [n, 1])), mul(cast(iota(NUMBERS), "f32"), 37));
      return reshape(within256(pixels), [n, ...SHAPE]);
    },
    step: ({ shade, time }, action) => ({
      state: { shade: within256(add(mul(shade, 5), 11)), time: add(time, 1) },
      reward: cast(equal(cast(action, "f32"), cast(greaterEqual(shade, 128), "f32")), "f32"),
      terminated: greaterEqual(shade, 252),
    }),
  });

/** The same, with the number of steps taken next to the image. */
export function clockedPictures(dtype: "uint8" | "float32"): CompiledEnvironment {
  const pictures = pictureEnvironment(dtype);
  return {
    ...pictures,
    id: `test/ClockedPictures-${dtype}-v0`,
    observation_space: new Dict({ clock: new Discrete(8), picture: pictures.observation_space as Box }),
    observe: (state) => {
      const n = state.time?.shape[0] as Dim;
      return concat([reshape(state.time as Tensor, [n, 1]), reshape(pictures.observe(state), [n, NUMBERS])]);
    },
  };
}

/** The same, mixed with fractional numbers and flags, so that bytes and floats alternate in a row. */
export function gaugedPictures(dtype: "uint8" | "float32"): CompiledEnvironment {
  const pictures = pictureEnvironment(dtype);
  return {
    ...pictures,
    id: `test/GaugedPictures-${dtype}-v0`,
    observation_space: new Dict({
      flag: new MultiBinary(1),
      gauges: new Box({ low: -10, high: 10, shape: [2] }),
      picture: pictures.observation_space as Box,
      clock: new Discrete(8),
      level: new Box({ low: 0, high: 1, shape: [1] }),
    }),
    observe: (state) => {
      const { shade, time } = state as { shade: Tensor; time: Tensor };
      const n = shade.shape[0] as Dim;
      const column = (x: Tensor) => reshape(x, [n, 1]);
      return concat([
        column(cast(greaterEqual(time, 4), "f32")),
        column(sub(div(shade, 100), 1.3)),
        column(div(time, -3)),
        reshape(pictures.observe(state), [n, NUMBERS]),
        column(time),
        column(div(shade, 256)),
      ]);
    },
  };
}

/** Size of such an observation in numbers, and in 32-bit words if bytes are packed: 32 bytes and 3 floats. */
export const GAUGED = { numbers: 35, words: 11 } as const;
