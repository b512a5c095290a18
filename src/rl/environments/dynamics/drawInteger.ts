import { floor, mul, type Tensor } from "../../../kernels/index.ts";

/**
 * A uniform integer from 0 to count - 1, from a uniform [0, 1) draw: f32 of the draw's shape. Draws are at
 * most
 * 1 - 2^-24, and in f32 the product of that and any count rounds to a number below count.
 */
export const drawInteger = (draw: Tensor, count: number): Tensor => floor(mul(draw, count));
