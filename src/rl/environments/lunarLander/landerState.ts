/** The layout of LunarLander's state, which `getState`, `setState` and the drawing use. */
import { GROUND_POINTS } from "./geometry.ts";

/**
 * How many numbers a body has: x and y (m), angle (rad) and their rates. Bodies: lander, left leg, right leg.
 */
export const BODY_NUMBERS = 6;

/** Indices of the other numbers. */
export const STATE = {
  /** Power of the main engine in the last step, 0 to 1. */
  main: 18,
  /** Power of the side engines, -1 to 1: negative pushes to the left. */
  side: 19,
  /** Step counts of the wind's force and torque. */
  wind: 20,
  turbulence: 21,
  /** Heights of the ground's points. */
  heights: 22,
} as const;

export const STATE_SIZE = STATE.heights + GROUND_POINTS;
