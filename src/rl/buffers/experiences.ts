/** Transitions as the host holds them, and the sizes of their rows. */
import { observationField, type ReplayFieldName } from "../programs/replayFields.ts";
import type { ReplayField, Run } from "../programs/rowLayout.ts";
import { type AgentSpaces, elementSize } from "../spaces/index.ts";

/** One transition, or several at once with the fields' rows one after another in row-major order. */
export interface Experiences {
  readonly obs: number | ArrayLike<number>;
  readonly action: number | ArrayLike<number>;
  /** A number for one transition; its length says how many there are. */
  readonly reward: number | ArrayLike<number>;
  /** Where the step led, before any reset. */
  readonly next_obs: number | ArrayLike<number>;
  /** Whether the task ended there (1 or true); a time limit is no end. */
  readonly done: boolean | number | ArrayLike<number | boolean>;
  /** Factor on the value after `next_obs`, one for each; gamma to the steps that transitions span unless given. */
  readonly discount?: ArrayLike<number>;
}

/** What a learning step reads of each transition. */
export const BATCH_FIELDS = ["obs", "action", "reward", "next_obs", "done"] as const;

/** A batch drawn from a memory: rows one after another in row-major order. */
export interface ExperienceBatch {
  /** [batch_size, ...observation]. */
  readonly obs: Float32Array;
  /** Choices as the environment numbers them [batch_size], or numbers [batch_size, ...action]. */
  readonly action: Float32Array | Int32Array;
  readonly reward: Float32Array;
  readonly next_obs: Float32Array;
  /** 1 where the task ended. */
  readonly done: Float32Array;
}

/** What rows are like. */
export interface RowWidths {
  readonly observation: number;
  readonly action: number;
  /** Whether actions are whole numbers. */
  readonly discrete: boolean;
  /** What of an observation is whole numbers 0 .. 255, kept as bytes. */
  readonly bytes: readonly Run[];
}

/** The fields of such rows. */
export function fieldsOf({ observation, action, discrete, bytes }: RowWidths) {
  const numbers = (width: number): ReplayField => ({ shape: [width], dtype: "f32", bytes: [] });
  const observations: ReplayField = { shape: [observation], dtype: "f32", bytes };
  return {
    obs: observations,
    next_obs: observations,
    action: { shape: [action], dtype: discrete ? "i32" : "f32", bytes: [] },
    reward: numbers(1),
    done: numbers(1),
    ended: numbers(1),
  } satisfies Record<ReplayFieldName, ReplayField>;
}

export const rowWidths = (layout: AgentSpaces): RowWidths => ({
  observation: elementSize(layout.observation_space),
  action: elementSize(layout.action_space),
  discrete: layout.action_space.kind !== "Box",
  bytes: observationField(layout.observation_space).bytes,
});

export const sameWidths = (a: RowWidths, b: RowWidths): boolean => JSON.stringify(a) === JSON.stringify(b);
