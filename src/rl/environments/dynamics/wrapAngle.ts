import type { Tensor } from "../../../kernels/index.ts";
import { add, floor, mul, sub } from "../../../kernels/index.ts";

/** 2 pi as a sum: the first term has eight bits, so its products with turn counts below 2^16 are exact. */
const TURN_HIGH = 6.28125;
const TURN_LOW = 2 * Math.PI - TURN_HIGH;

/** The angle in [-pi, pi) that differs from `angle` (rad) by whole turns. */
export function wrapAngle(angle: Tensor): Tensor {
  const turns = floor(mul(add(angle, Math.PI), 1 / (2 * Math.PI)));
  return sub(sub(angle, mul(turns, TURN_HIGH)), mul(turns, TURN_LOW));
}
