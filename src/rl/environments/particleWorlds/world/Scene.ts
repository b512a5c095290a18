/**
 * The state of a particle world as its observations and rewards read it, with the goals of its agents.
 */
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
import type { ParticleAgent, WorldFacts } from "./options.ts";

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
