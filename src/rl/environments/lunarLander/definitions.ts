import type { HostEnvironmentDefinition } from "../hostEnvironmentDefinition.ts";
import { CONTINUOUS_ENGINES, DISCRETE_ENGINES, LUNAR_LANDER_OBSERVATIONS } from "./lunarLanderFacts.ts";

function lunarLander(id: string, continuous: boolean): HostEnvironmentDefinition {
  const reward_threshold = 200;
  return {
    id,
    observation_space: LUNAR_LANDER_OBSERVATIONS,
    action_space: continuous ? CONTINUOUS_ENGINES : DISCRETE_ENGINES,
    max_episode_steps: 1000,
    reward_threshold,
    load: async () => {
      // Loaded when it is played: the physics engine is large.
      const { makeLunarLander } = await import("./makeLunarLander.ts");
      return (options) => makeLunarLander({ id, reward_threshold, continuous }, options);
    },
  };
}

/** Four engine commands. */
export const LunarLanderDiscrete = lunarLander("LunarLander-v3", false);
/** Two throttles. */
export const LunarLanderContinuous = lunarLander("LunarLanderContinuous-v3", true);
