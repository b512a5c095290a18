/** What is known of LunarLander without its physics. */
import { Box, Discrete } from "../../spaces/index.ts";

const TURN = 2 * Math.PI;

/** Place and speed relative to the pad, angle, its rate, whether the left and the right leg stand. */
export const LUNAR_LANDER_OBSERVATIONS = new Box({
  low: [-2.5, -2.5, -10, -10, -TURN, -10, 0, 0],
  high: [2.5, 2.5, 10, 10, TURN, 10, 1, 1],
});

/** Nothing, left engine, main engine, right engine. */
export const DISCRETE_ENGINES = new Discrete(4);

/** Throttles: of the main engine, on above 0; of the side engines, on beyond 0.5 either way. */
export const CONTINUOUS_ENGINES = new Box({ low: -1, high: 1, shape: [2] });
