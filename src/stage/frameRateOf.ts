import type { RegisteredEnvironment } from "../rl/environments.ts";

/** Frame rate of environments that define none. */
const USUAL = 30;

/** Steps per second at which an environment is meant to be shown. */
export const frameRateOf = ({ frame_rate }: Pick<RegisteredEnvironment, "frame_rate">): number =>
  frame_rate ?? USUAL;
