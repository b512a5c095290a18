import { knownEnvironment } from "../../../rl/environments/registry.ts";

/** Of environments that say nothing of it. */
const USUAL = 30;

/** Speed at which an environment looks as it was meant. */
export const framesPerSecond = (environment: string): number =>
  knownEnvironment(environment)?.frame_rate ?? USUAL;
