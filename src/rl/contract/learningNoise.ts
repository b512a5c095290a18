/** Random numbers of learning steps: for batches, and for weights that are noisy. */
import { randomNormal } from "../../kernels/functions/random.ts";
import type { Tensor } from "../../kernels/index.ts";
import type { ForwardContext } from "../modules/index.ts";
import { counter, LEARNED, normals, randomKey, STREAM_STRIDE, uniforms } from "./inputs.ts";

/** `count` vectors of standard normal numbers, one for each of the batch's rows (u32 [n]), others in each learning step. */
export const learningNormals = (row: Tensor, count: number): Tensor[] =>
  normals((many) => uniforms("noise", counter(LEARNED).read(), row, many), count);

/**
 * Vectors of uniform numbers in [0, 1), one number for each of the batch's rows (u32 [n]), others in each learning step.
 * @param first Number of the first vector: each use in a learning step has places of its own.
 */
export const learningUniforms = (row: Tensor, first: number, count: number): Tensor[] =>
  uniforms("noise", counter(LEARNED).read(), row, first + count).slice(first);

/** Most noisy sides that one network has. */
const SIDES = 64;

/**
 * Noise of a network's weights: the same until the next learning step, for all rows and all passes.
 * @param network Which of the agent's networks: each has noise of its own.
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
