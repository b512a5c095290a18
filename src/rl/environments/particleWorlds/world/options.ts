/** Options of particle worlds, under MPE2's names and with its defaults. */
import { z } from "zod";

/** Everything grows with the square of how many bodies there are. */
const MOST = 16;

export const CommonOptions = {
  /**
   * Steps before an episode is cut off. `max_episode_steps`, which every environment has, says the same of its time
   * limit; where both are given it holds.
   */
  max_cycles: z.int().min(1).default(25),
  /** Whether agents give numbers in [0, 1] in place of choices. */
  continuous_actions: z.boolean().default(false),
};

export const count = (least: number, usual: number) => z.int().min(least).max(MOST).default(usual);

/** Part of a reward that is the agent's own; the rest is what all earn together. */
export const local_ratio = z.number().min(0).max(1).default(0.5);
