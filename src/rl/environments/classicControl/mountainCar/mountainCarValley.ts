/** The valley of both MountainCar environments (Moore 1990; Sutton and Barto, example 10.1). */
import { z } from "zod";
import {
  add,
  and,
  clip,
  cos,
  greaterEqual,
  less,
  lessEqual,
  mul,
  select,
  sub,
  type Tensor,
} from "../../../../kernels/index.ts";
import { Box } from "../../../spaces/index.ts";

const MIN_POSITION = -1.2;
const MAX_POSITION = 0.6;
const MAX_SPEED = 0.07;
const GRAVITY = 0.0025;

/** Position and velocity. */
export const valleySpace = new Box({ low: [MIN_POSITION, -MAX_SPEED], high: [MAX_POSITION, MAX_SPEED] });

/** Ranges of the initial state: a random position, at rest. */
export const valleyStart = { position: [-0.6, -0.4], velocity: [0, 0] } as const;

export interface CarState {
  readonly position: Tensor;
  readonly velocity: Tensor;
}

/**
 * One step with an acceleration `push`. Height follows sin(3 position); hitting the left end stops the car.
 */
export function valleyStep({ position, velocity }: CarState, push: Tensor): CarState {
  const pull = mul(cos(mul(position, 3)), GRAVITY);
  const speed = clip(sub(add(velocity, push), pull), -MAX_SPEED, MAX_SPEED);
  const place = clip(add(position, speed), MIN_POSITION, MAX_POSITION);
  const stopped = and(lessEqual(place, MIN_POSITION), less(speed, 0));
  return { position: place, velocity: select(stopped, 0, speed) };
}

export const ValleyArguments = {
  /** Minimum velocity at the flag. */
  goal_velocity: z.number().default(0),
};

/** Whether the car is at or beyond the flag, with at least the goal velocity to the right. */
export const hasReached = ({ position, velocity }: CarState, flag: number, goal_velocity: number): Tensor =>
  and(greaterEqual(position, flag), greaterEqual(velocity, goal_velocity));
