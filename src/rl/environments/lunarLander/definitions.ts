import type { HostEnvironmentDefinition } from "../hostEnvironmentDefinition.ts";
import { CONTINUOUS_ENGINES, DISCRETE_ENGINES, LUNAR_LANDER_OBSERVATIONS } from "./lunarLanderFacts.ts";

const LIMITS = { max_episode_steps: 1000, reward_threshold: 200 } as const;

function lunarLander(id: string, continuous: boolean): HostEnvironmentDefinition {
  return {
    id,
    observation_space: LUNAR_LANDER_OBSERVATIONS,
    action_space: continuous ? CONTINUOUS_ENGINES : DISCRETE_ENGINES,
    ...LIMITS,
    load: async () => {
      // Loaded when it is played: the physics engine is large.
      const [{ LunarLander }, { lunarLanderOptions }] = await Promise.all([
        import("./LunarLander.ts"),
        import("./options.ts"),
      ]);
      return ({ max_episode_steps, ...options }) =>
        new LunarLander({
          id,
          reward_threshold: LIMITS.reward_threshold,
          max_episode_steps,
          ...lunarLanderOptions(id, { continuous, ...options }),
        });
    },
  };
}

/** Four engine commands. */
export const LunarLanderDiscrete = lunarLander("LunarLander-v3", false);
/** Two throttles. */
export const LunarLanderContinuous = lunarLander("LunarLanderContinuous-v3", true);
