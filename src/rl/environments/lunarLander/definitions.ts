import type { HostEnvironmentDefinition } from "../hostEnvironmentDefinition.ts";
import { CONTINUOUS_ENGINES, DISCRETE_ENGINES, LUNAR_LANDER_OBSERVATIONS } from "./lunarLanderFacts.ts";
import { lunarLanderOptions } from "./options.ts";

/** @param throttled Whether its engines have throttles unless the options say otherwise. */
function lunarLander(id: string, throttled: boolean, continuous = throttled): HostEnvironmentDefinition {
  const reward_threshold = 200;
  return {
    id,
    withOptions: (options) =>
      lunarLander(id, throttled, lunarLanderOptions(id, { continuous: throttled, ...options }).continuous),
    observation_space: LUNAR_LANDER_OBSERVATIONS,
    action_space: continuous ? CONTINUOUS_ENGINES : DISCRETE_ENGINES,
    max_episode_steps: 1000,
    reward_threshold,
    load: async () => {
      // Loaded when it is played: the physics engine is large.
      const { makeLunarLander } = await import("./makeLunarLander.ts");
      return (options) => makeLunarLander({ id, reward_threshold, continuous: throttled }, options);
    },
  };
}

/** Four engine commands. */
export const LunarLanderDiscrete = lunarLander("LunarLander-v3", false);
/** Two throttles. */
export const LunarLanderContinuous = lunarLander("LunarLanderContinuous-v3", true);
