/** LunarLander's state as numbers: what `getState` gives, `setState` takes and the drawing reads. */
import { GROUND_POINTS } from "./geometry.ts";

/** Numbers of one body: x and y (m), angle (rad), their rates. Bodies: lander, left leg, right leg. */
export const BODY_NUMBERS = 6;

/** Where the other numbers stand. */
export const STATE = {
  /** Power of the main engine in the last step, 0 to 1. */
  main: 18,
  /** Power of the side engines, -1 to 1: negative pushes to the left. */
  side: 19,
  /** Counts of the wind's push and turn. */
  wind: 20,
  turbulence: 21,
  /** Heights of the ground's points. */
  heights: 22,
} as const;

export const STATE_SIZE = STATE.heights + GROUND_POINTS;
