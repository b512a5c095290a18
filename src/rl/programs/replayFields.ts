/** What a transition is in the replay memory: its fields, and how a row of each lies there. */
import type { Space } from "../spaces/index.ts";

/** What shapes the rows of a memory. */
export interface TransitionLayout {
  readonly observation_space: Space;
  readonly action_space: Space;
}

/** Names of the memory's fields. `ended`: 1 where the lane's next row begins another episode. */
export const REPLAY_FIELDS = ["obs", "next_obs", "action", "reward", "done", "ended"] as const;
export type ReplayFieldName = (typeof REPLAY_FIELDS)[number];

export interface ReplayField {
  /** Of one row. */
  readonly shape: readonly number[];
  readonly dtype: "f32" | "i32";
}

const NUMBER: ReplayField = { shape: [], dtype: "f32" };

/** The fields of a row. */
export function replayFields({
  observation_space,
  action_space,
}: TransitionLayout): Readonly<Record<ReplayFieldName, ReplayField>> {
  const observation: ReplayField = { shape: observation_space.shape, dtype: "f32" };
  return {
    obs: observation,
    next_obs: observation,
    action: { shape: action_space.shape, dtype: action_space.kind === "Box" ? "f32" : "i32" },
    reward: NUMBER,
    done: NUMBER,
    ended: NUMBER,
  };
}

/** How a memory gives its transitions. */
export interface MemoryKind {
  /** Steps that a transition spans. */
  readonly n_step: number;
  /** Sampled by priority instead of uniformly. */
  readonly prioritized: boolean;
}

/** Single steps, sampled uniformly. */
export const PLAIN_MEMORY: MemoryKind = { n_step: 1, prioritized: false };
