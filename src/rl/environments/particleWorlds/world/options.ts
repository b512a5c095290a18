/** Options of particle worlds, under MPE2's names and with its defaults. */
import { z } from "zod";

/**
 * Upper bound of agents or landmarks of a kind, because costs grow with the square of the number of bodies.
 */
const MOST = 16;

export const CommonOptions = {
  /**
   * Steps before an episode is cut off. `max_episode_steps`, which every environment has, sets the same limit
   * and takes precedence.
   */
  max_cycles: z.int().min(1).default(25),
  /** Whether actions are numbers in [0, 1] instead of choices. */
  continuous_actions: z.boolean().default(false),
};

export const count = (least: number, usual: number) => z.int().min(least).max(MOST).default(usual);

/** Weight of an agent's own reward; the shared reward has weight 1 - local_ratio. */
export const local_ratio = z.number().min(0).max(1).default(0.5);
