/** LunarLander's spaces, available without loading its physics. */
import { Box, Discrete } from "../../spaces/index.ts";

const TURN = 2 * Math.PI;

/** Position and velocity relative to the pad, angle, angular velocity, left and right leg contact. */
export const LUNAR_LANDER_OBSERVATIONS = new Box({
  low: [-2.5, -2.5, -10, -10, -TURN, -10, 0, 0],
  high: [2.5, 2.5, 10, 10, TURN, 10, 1, 1],
});

/** Nothing, left engine, main engine, right engine. */
export const DISCRETE_ENGINES = new Discrete(4);

/** Throttles of the main engine (on above 0) and of the side engines (on above 0.5 or below -0.5). */
export const CONTINUOUS_ENGINES = new Box({ low: -1, high: 1, shape: [2] });
