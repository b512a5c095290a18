import type { HostMakeOptions } from "../definition/hostEnvironmentDefinition.ts";
import { LunarLander } from "./LunarLander.ts";
import { lunarLanderOptions } from "./options.ts";

interface Facts {
  readonly id: string;
  readonly reward_threshold: number;
  /** Unless the options say otherwise. */
  readonly continuous: boolean;
}

/** @throws SpecError naming each option that LunarLander does not understand. */
export const makeLunarLander = (
  { id, reward_threshold, continuous }: Facts,
  { max_episode_steps, ...options }: HostMakeOptions,
): LunarLander =>
  new LunarLander({
    id,
    reward_threshold,
    max_episode_steps,
    ...lunarLanderOptions(id, { continuous, ...options }),
  });
