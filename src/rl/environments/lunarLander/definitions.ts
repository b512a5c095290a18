import type { HostEnvironmentDefinition } from "../definition/hostEnvironmentDefinition.ts";
import type { Glyph } from "../drawing/glyph.ts";
import { drawLunarLander } from "./drawLunarLander.ts";
import { CONTINUOUS_ENGINES, DISCRETE_ENGINES, LUNAR_LANDER_OBSERVATIONS } from "./lunarLanderFacts.ts";
import { lunarLanderOptions } from "./options.ts";

const glyph: Glyph = [
  { path: "M4 44 18 36h36l14 5" },
  { path: "M22 36V26l6 2.5-6 2.5M50 36V26l6 2.5-6 2.5" },
  { path: "M30 16 28 10h16l-2 6z", style: "body" },
  { path: "M31 17 28 23M41 17l3 6" },
  { path: "M36 18v9", style: "moving" },
];

/** @param throttled Default of the option `continuous`. */
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
    draw: drawLunarLander,
    glyph,
    frame_rate: 50,
    load: async () => {
      // Loaded on first use, because the physics engine is large.
      const { makeLunarLander } = await import("./makeLunarLander.ts");
      return (options) => makeLunarLander({ id, reward_threshold, continuous: throttled }, options);
    },
  };
}

/** LunarLander with four engine commands. */
export const LunarLanderDiscrete = lunarLander("LunarLander-v3", false);
/** LunarLander with two throttles. */
export const LunarLanderContinuous = lunarLander("LunarLanderContinuous-v3", true);
