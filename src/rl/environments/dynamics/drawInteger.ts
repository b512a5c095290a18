import { floor, mul, type Tensor } from "../../../kernels/index.ts";

/**
 * A whole number from 0 to count - 1, each equally likely, from a uniform [0, 1) draw: f32 of the draw's shape.
 * Draws are at most 1 - 2^-24, and f32 rounds the product of that and any count to a number below count.
 */
export const drawInteger = (draw: Tensor, count: number): Tensor => floor(mul(draw, count));
