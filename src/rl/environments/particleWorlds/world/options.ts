/** What defines a particle world: its bodies, and options under MPE2's names and with its defaults. */
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

/** An agent of a particle world. */
export interface ParticleAgent {
  readonly id: string;
  /** Radius. */
  readonly size: number;
  /** How many numbers it observes. */
  readonly observes: number;
  /** Whether it stays in place (default: false). */
  readonly fixed?: boolean;
  /** How many numbers it communicates in every step (default: 0, silent). */
  readonly words?: number;
  /** Force of a full push (default: 5). */
  readonly push?: number;
  /** Maximum speed (default: no limit). */
  readonly top_speed?: number;
}

/** The landmarks of a particle world. */
export interface Landmarks {
  readonly count: number;
  /** Radius. */
  readonly size: number;
  /** Initial x and y are in [-range, range] (default: 1). */
  readonly range?: number;
}

/** The contents of a particle world. Agents start with x and y in [-1, 1], but may leave that square. */
export interface WorldFacts {
  readonly agents: readonly ParticleAgent[];
  readonly landmarks: Landmarks;
  /** How many landmarks are drawn as goals in every episode, independently of each other (default: 0). */
  readonly goals?: number;
  /** What agents collide with: other agents only, or landmarks too (default: nothing). */
  readonly contacts?: "agents" | "all";
}

/** Duration of a step, s. */
export const STEP = 0.1;
