/** Random numbers of learning steps: for batches, and for noisy weights. */
import { randomNormal } from "../../kernels/functions.ts";
import type { Tensor } from "../../kernels/index.ts";
import type { ForwardContext } from "../modules/index.ts";
import { counter, LEARNED, normals, randomKey, STREAM_STRIDE, uniforms } from "./inputs.ts";

/** `count` vectors of normal numbers, one number per batch row (u32 [n]), new in each learning step. */
export const learningNormals = (row: Tensor, count: number): Tensor[] =>
  normals((many) => uniforms("noise", counter(LEARNED).read(), row, many), count);

/**
 * Vectors of uniform numbers in [0, 1), one number per row of the batch (u32 [n]), new in each learning step.
 * @param first Index of the first vector. Different uses in a learning step must not overlap.
 */
export const learningUniforms = (row: Tensor, first: number, count: number): Tensor[] =>
  uniforms("noise", counter(LEARNED).read(), row, first + count).slice(first);

/** Upper bound of the number of noisy layer sides in one network. */
const SIDES = 64;

/**
 * Noise of a network's weights: the same for all rows and all forward passes until the next learning step.
 * @param network Index of the network in its agent: each network has its own noise.
 */
export function weightNoise(network: number): NonNullable<ForwardContext["noise"]> {
  const key = randomKey("noise", counter(LEARNED).read());
  const known = new Map<string, Tensor>();
  return (layer, side, size) => {
    const name = `${layer}/${side}`;
    const before = known.get(name);
    if (before) return before;
    const stream = key.stream + STREAM_STRIDE * (network * SIDES + known.size);
    const [made] = randomNormal({ ...key, stream }, size) as [Tensor];
    known.set(name, made);
    return made;
  };
}
