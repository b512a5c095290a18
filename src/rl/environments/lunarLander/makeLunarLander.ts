import type { HostMakeOptions } from "../definition/hostEnvironmentDefinition.ts";
import { LunarLander } from "./LunarLander.ts";
import { lunarLanderOptions } from "./options.ts";

interface Facts {
  readonly id: string;
  readonly reward_threshold: number;
  /** Default of the option `continuous`. */
  readonly continuous: boolean;
}

/** @throws SpecError naming each option that is unknown or out of range. */
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
