import type { RegisteredEnvironment } from "../rl/environments/index.ts";

/** Of environments that say nothing of it. */
const USUAL = 30;

/** Steps a second at which an environment looks as it was meant. */
export const frameRateOf = ({ frame_rate }: Pick<RegisteredEnvironment, "frame_rate">): number =>
  frame_rate ?? USUAL;
