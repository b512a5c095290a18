/** The fields of a transition in the replay buffer, and which of their numbers are stored as bytes. */

import { actionType } from "../contract/choices.ts";
import type { GoalFace } from "../environments/definition/compiledEnvironment.ts";
import {
  type AgentSpaces,
  choicesOf,
  elementSize,
  isComposite,
  type SimpleSpace,
  type Space,
} from "../spaces.ts";
import type { ReplayField, Run } from "./rowLayout.ts";

/** Names of the replay buffer's fields. `ended`: 1 where the lane's next row begins another episode. */
export const REPLAY_FIELDS = ["obs", "next_obs", "action", "reward", "done", "ended"] as const;
export type ReplayFieldName = (typeof REPLAY_FIELDS)[number];

/** Spaces of agents, and of compiled environments with goals what their steps give. */
export interface GoalSpaces extends AgentSpaces {
  readonly goal?: GoalFace;
}

const NUMBER: ReplayField = { shape: [], dtype: "f32", bytes: [] };

/** One number per agent when there are several agents, else one number. */
const eachAgent = ({ observation_space }: Pick<AgentSpaces, "observation_space">): ReplayField =>
  observation_space.kind === "Agents"
    ? { shape: [observation_space.ids.length], dtype: "f32", bytes: [] }
    : NUMBER;

/**
 * Value of `done` for an agent that had left before the step; it is 1 where the agent's task ended in the
 * step.
 */
export const HAD_LEFT = 2;

/** Mask numbers stored after an observation: the legal choices, if the replay buffer stores masks, else 0. */
export const keptMask = (layout: AgentSpaces): number =>
  (layout.masked ?? hasMasks(layout)) ? choicesOf(layout.action_space) : 0;

/** Whether the layout is that of a compiled environment with masks. */
const hasMasks = (layout: AgentSpaces): boolean => "actionMask" in layout && layout.actionMask !== undefined;

/** The layout of a replay buffer of this kind. */
export function keptLayout(layout: GoalSpaces, { masked }: MemoryKind): GoalSpaces {
  const { observation_space, action_space, goal } = layout;
  return masked ? { observation_space, action_space, masked, ...(goal && { goal }) } : layout;
}

/** Whether all numbers of a part are integers from 0 to 255. */
function fitsBytes(space: SimpleSpace): boolean {
  switch (space.kind) {
    case "Box":
      return space.dtype === "uint8";
    case "Discrete":
      return space.start >= 0 && space.start + space.n <= 256;
    case "MultiDiscrete":
      return space.nvec.every((k) => k <= 256);
    case "MultiBinary":
      return true;
  }
}

/**
 * The runs of a space's elements that are stored as bytes. If the space has a Box of uint8 (such as an
 * image), these are all parts that fit; adjacent parts form one run. Otherwise there are none.
 */
function byteRuns(space: Space): readonly Run[] {
  const parts = isComposite(space) ? space.parts : [{ space, start: 0, size: elementSize(space) }];
  if (!parts.some(({ space: { kind, dtype } }) => kind === "Box" && dtype === "uint8")) return [];
  const runs: Run[] = [];
  for (const { start, size } of parts.filter((part) => fitsBytes(part.space))) {
    const last = runs.at(-1);
    if (last && last.start + last.size === start) runs.splice(-1, 1, { ...last, size: last.size + size });
    else runs.push({ start, size });
  }
  return runs;
}

/** How an observation is stored. */
export const observationField = (space: Space): ReplayField => ({
  shape: space.shape,
  dtype: "f32",
  bytes: byteRuns(space),
});

/** The fields of a row. */
export function replayFields(layout: AgentSpaces): Readonly<Record<ReplayFieldName, ReplayField>> {
  const { observation_space, action_space } = layout;
  const alone = observationField(observation_space);
  const legal = keptMask(layout);
  const observation = legal === 0 ? alone : { ...alone, shape: [elementSize(observation_space) + legal] };
  const number = eachAgent(layout);
  return {
    obs: observation,
    next_obs: observation,
    action: { shape: action_space.shape, dtype: actionType(action_space), bytes: [] },
    reward: number,
    done: number,
    ended: NUMBER,
  };
}

/** How goals of hindsight experience replay are drawn. */
export interface HindsightKind {
  /** From the rest of the transition's episode, from its end, or from all of it. */
  readonly goal_selection_strategy: "future" | "final" | "episode";
  /** Transitions with such a goal for each one with its own. */
  readonly n_sampled_goal: number;
}

/** How transitions are sampled from a replay buffer. */
export interface MemoryKind {
  /** Steps that a transition spans. */
  readonly n_step: number;
  /** Sampled by priority instead of uniformly. */
  readonly prioritized: boolean;
  /** Learning steps are due by the transitions of the whole population, instead of by the member's own. */
  readonly shared?: true;
  /** Action masks are stored, although the environment's layout does not say so. */
  readonly masked?: true;
  /** Part of each batch that is drawn from demonstrations; 1 for members whose batches of them are apart (default: none). */
  readonly demonstrations?: number;
  /** Hindsight experience replay. */
  readonly her?: HindsightKind;
}

/** Single steps, sampled uniformly. */
export const PLAIN_MEMORY: MemoryKind = { n_step: 1, prioritized: false };
