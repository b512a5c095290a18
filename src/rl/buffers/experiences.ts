/** Transitions as the host holds them, and the sizes of their rows. */
import { actionType } from "../contract/choices.ts";
import { keptMask, observationField, type ReplayFieldName } from "../programs/replayFields.ts";
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
  /** [batch_size, ...observation]; of several agents joint rows, behind them what was legal where the memory keeps that. */
  readonly obs: Float32Array;
  /** Choices as the environment numbers them [batch_size], or numbers [batch_size, ...action]. */
  readonly action: Float32Array | Int32Array;
  /** [batch_size]; of several agents [batch_size, agents]. */
  readonly reward: Float32Array;
  readonly next_obs: Float32Array;
  /** 1 where the task ended, of the same shape; 2 of an agent that had left before the step. */
  readonly done: Float32Array;
}

/** What rows are like. */
export interface RowWidths {
  readonly observation: number;
  readonly action: number;
  /** Whether actions are whole numbers. */
  readonly discrete: boolean;
  /** Agents of a row, each with a reward and an end of its own: 1 of a single one. */
  readonly agents: number;
  /** Numbers of `observation`, the last ones, that say which choices were legal; 0 where that is not kept. */
  readonly mask: number;
  /** What of an observation is whole numbers 0 .. 255, kept as bytes. */
  readonly bytes: readonly Run[];
}

/** The fields of such rows. */
export function fieldsOf({ observation, action, discrete, agents, bytes }: RowWidths) {
  const numbers = (width: number): ReplayField => ({ shape: [width], dtype: "f32", bytes: [] });
  const observations: ReplayField = { shape: [observation], dtype: "f32", bytes };
  return {
    obs: observations,
    next_obs: observations,
    action: { shape: [action], dtype: discrete ? "i32" : "f32", bytes: [] },
    reward: numbers(agents),
    done: numbers(agents),
    ended: numbers(1),
  } satisfies Record<ReplayFieldName, ReplayField>;
}

export const rowWidths = (layout: AgentSpaces): RowWidths => ({
  observation: elementSize(layout.observation_space) + keptMask(layout),
  action: elementSize(layout.action_space),
  discrete: actionType(layout.action_space) === "i32",
  agents: layout.observation_space.kind === "Agents" ? layout.observation_space.ids.length : 1,
  mask: keptMask(layout),
  bytes: observationField(layout.observation_space).bytes,
});

export const sameWidths = (a: RowWidths, b: RowWidths): boolean => JSON.stringify(a) === JSON.stringify(b);
