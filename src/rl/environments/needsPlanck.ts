import { BipedalWalker, BipedalWalkerHardcore } from "./bipedalWalker/definitions.ts";
import { LunarLanderContinuous, LunarLanderDiscrete } from "./lunarLander/definitions.ts";

const IDS = [BipedalWalker, BipedalWalkerHardcore, LunarLanderContinuous, LunarLanderDiscrete].map(
  ({ id }) => id,
);

/** Whether planck steps an environment's bodies. */
export const needsPlanck = (id: string): boolean => IDS.includes(id);
