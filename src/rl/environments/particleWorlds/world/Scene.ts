/**
 * What defines a particle world: its bodies, and options under MPE2's names and with its defaults; and its state as
 * observations and rewards read it, with the goals of its agents.
 */
import { z } from "zod";
import {
  cast,
  column,
  concat,
  type Dim,
  equal,
  iota,
  mul,
  reshape,
  select,
  slice,
  sum,
  type Tensor,
  zeros,
} from "../../../../kernels/index.ts";
import type { EnvState } from "../../definition/compiledEnvironment.ts";

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

/** Agents, landmarks and goals of all lanes. */
export interface Scene {
  readonly num_envs: Dim;
  /** Positions of the agents, f32 [num_envs, agents, 2]. */
  readonly place: Tensor;
  readonly velocity: Tensor;
  /** Words of each agent in the last step, f32 [num_envs, words]; [num_envs, 0] for silent agents. */
  readonly said: readonly Tensor[];
  /** Positions of the landmarks, f32 [num_envs, landmarks, 2]. */
  readonly landmarks: Tensor;
  /** Index of each goal's landmark, integers as f32 [num_envs]. */
  readonly goals: readonly Tensor[];
}

const MOTION = 4;

export const wordsOf = ({ words = 0 }: ParticleAgent): number => words;
/** How many numbers an agent has in the state: x, y, their velocities and its words. */
export const widthOf = (agent: ParticleAgent): number => MOTION + wordsOf(agent);

/** Shapes of the state's variables, in the order of MPE2's state; variables of size 0 are left out. */
export function sceneShapes({ agents, landmarks, goals = 0 }: WorldFacts): Record<string, readonly [number]> {
  const sizes = {
    agents: agents.reduce((sum, agent) => sum + widthOf(agent), 0),
    landmarks: 2 * landmarks.count,
    goals,
  };
  return Object.fromEntries(
    Object.entries(sizes).flatMap(([name, size]) => (size > 0 ? [[name, [size] as const]] : [])),
  );
}

/** Concatenates the parts; returns a single part without copying it. */
export const joined = (parts: readonly Tensor[]): Tensor => {
  const [only] = parts;
  return only && parts.length === 1 ? only : concat(parts);
};

/** Converts a state to a scene. */
export function sceneOf({ agents, landmarks, goals = 0 }: WorldFacts, state: EnvState): Scene {
  const rows = state.agents as Tensor;
  const num_envs = rows.shape[0] as Dim;
  let start = 0;
  const parts = agents.map((agent) => {
    const at = start;
    start += widthOf(agent);
    return { motion: slice(rows, at, MOTION), said: slice(rows, at + MOTION, wordsOf(agent)) };
  });
  const silent = start === MOTION * agents.length;
  const motion = reshape(silent ? rows : joined(parts.map((part) => part.motion)), [
    num_envs,
    agents.length,
    MOTION,
  ]);
  const flags = state.landmarks ?? zeros([num_envs, 0]);
  return {
    num_envs,
    place: slice(motion, 0, 2),
    velocity: slice(motion, 2, 2),
    said: parts.map((part) => part.said),
    landmarks: reshape(flags, [num_envs, landmarks.count, 2]),
    goals: Array.from({ length: goals }, (_, i) => column(state.goals as Tensor, i)),
  };
}

/** The inverse for agents: positions, velocities and words as the state's rows. */
export function agentRows(
  { agents }: WorldFacts,
  { num_envs, place, velocity, said }: Pick<Scene, "num_envs" | "place" | "velocity" | "said">,
): Tensor {
  const motion = reshape(concat([place, velocity]), [num_envs, MOTION * agents.length]);
  if (agents.every((agent) => wordsOf(agent) === 0)) return motion;
  return concat(
    agents.flatMap((agent, i) => {
      const own = slice(motion, MOTION * i, MOTION);
      return wordsOf(agent) === 0 ? [own] : [own, said[i] as Tensor];
    }),
  );
}

/** One-hot rows of `index` (f32 [num_envs]), bool [num_envs, width]. */
const marks = (index: Tensor, width: number): Tensor =>
  equal(reshape(index, [index.shape[0] as Dim, 1]), cast(iota(width), "f32"));

/** Position of a goal's landmark, f32 [num_envs, 2]. */
export function goalPlace({ num_envs, landmarks, goals }: Scene, which = 0): Tensor {
  const count = landmarks.shape[1] as number;
  const here = cast(marks(goals[which] as Tensor, count), "f32");
  return sum(mul(landmarks, reshape(here, [num_envs, count, 1])), 1);
}

/** A colour with one brighter channel, f32 [num_envs, 3]. `channel`: integers as f32 [num_envs]. */
export const colour = (channel: Tensor, dull: number, bright: number): Tensor =>
  select(marks(channel, 3), bright, dull);
