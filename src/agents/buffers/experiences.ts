/**
 * Transitions on the host: the sizes of their rows, and observations given by their parts as flat numbers.
 */
import { actionType } from "../../rl/contract.ts";
import {
  keptMask,
  observationField,
  type ReplayField,
  type ReplayFieldName,
  type Run,
} from "../../rl/programs.ts";
import {
  type AgentSpaces,
  describeValue,
  elementRows,
  elementSize,
  isArrayLike,
  type Space,
  type SpaceElement,
} from "../../rl/spaces.ts";

const SEEN = ["obs", "next_obs"] as const;

type Given = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Given =>
  typeof value === "object" && value !== null && !isArrayLike(value);

/**
 * The fields with flat observations; the same object if they are flat already.
 * @param space Space of an observation; null if it is unknown.
 * @throws TypeError or RangeError naming the field, and the agent or key, that does not fit.
 * @internal
 */
export function withFlatObservations<T extends object>(place: string, space: Space | null, given: T): T {
  // Anything but an object is refused where its fields are read.
  if (!isRecord(given)) return given;
  const fields: Given = given;
  const flat = Object.fromEntries(
    SEEN.map((field) => [field, flatField(`${place}${field}`, space, fields[field])]),
  );
  return SEEN.every((field) => flat[field] === fields[field]) ? given : { ...given, ...flat };
}

function flatField(place: string, space: Space | null, value: unknown): unknown {
  if (space?.kind === "Agents" && isRecord(value)) {
    const each = Object.entries(value).map(([id, own]) => {
      const seen = space.spaces[id];
      return [id, seen ? elementRows(`${place}.${id}`, seen, own) : own] as const;
    });
    return each.every(([id, own]) => own === value[id]) ? value : Object.fromEntries(each);
  }
  if (space) return elementRows(place, space, value);
  const isNested = Array.isArray(value) && value.some((one) => typeof one === "object" && one !== null);
  if (!isNested) return value;
  throw new TypeError(
    `${place}: found ${describeValue(value)} with lists or objects in it, allowed numbers, one after another; call configure() with the environment's spaces first`,
  );
}

/** One transition, or several: each field then concatenates its rows in row-major order. */
export interface Experiences {
  /** Flat numbers, or elements of a Dict or Tuple by their parts if the spaces are known. */
  readonly obs: SpaceElement | readonly SpaceElement[];
  readonly action: number | ArrayLike<number>;
  /** One number per transition; their count determines the number of transitions. */
  readonly reward: number | ArrayLike<number>;
  /** Observation after the step, before any reset. */
  readonly next_obs: SpaceElement | readonly SpaceElement[];
  /** Whether the task ended in this step (1 or true); a time limit does not count. */
  readonly done: boolean | number | ArrayLike<number | boolean>;
  /** 1 or true for choices that were legal in `obs`, those of each transition one after another (default: all). */
  readonly action_mask?: ArrayLike<number | boolean> | null;
  /** Choices that are legal in `next_obs`. Where the task ended, they do not matter. */
  readonly next_action_mask?: ArrayLike<number | boolean> | null;
  /** Factors on the values of `next_obs` (default: gamma to the power of each transition's steps). */
  readonly discount?: ArrayLike<number>;
}

/** Transitions whose observations are flat numbers. */
export interface FlatExperiences extends Experiences {
  readonly obs: number | ArrayLike<number>;
  readonly next_obs: number | ArrayLike<number>;
}

/** The fields of each transition that a learning step reads. */
export const BATCH_FIELDS = ["obs", "action", "reward", "next_obs", "done"] as const;

/** Fields with the legal choices of each observation. */
export const MASK_FIELDS = { obs: "action_mask", next_obs: "next_action_mask" } as const;

/** A batch sampled from a replay buffer: concatenated rows in row-major order. */
export interface ExperienceBatch {
  /** [batch_size, ...observation]; for several agents joint rows, then action masks if they are stored. */
  readonly obs: Float32Array;
  /** Choices as the environment numbers them [batch_size], or numbers [batch_size, ...action]. */
  readonly action: Float32Array | Int32Array;
  /** [batch_size]; [batch_size, agents] for several agents. */
  readonly reward: Float32Array;
  readonly next_obs: Float32Array;
  /** 1 where the task ended, in the same shape; 2 for an agent that had left before the step. */
  readonly done: Float32Array;
  /** 1 for each choice of a single agent that was legal in `obs` [batch_size, choices]; absent if masks are not stored. */
  readonly action_mask?: Float32Array;
  /** The same of `next_obs`; 1 for all choices where the task ended and none was legal. */
  readonly next_action_mask?: Float32Array;
}

/** The layout of rows. */
export interface RowWidths {
  readonly observation: number;
  readonly action: number;
  /** Whether actions are integers. */
  readonly discrete: boolean;
  /** Number of agents in a row, each with its own reward and done flag; 1 for a single agent. */
  readonly agents: number;
  /** How many of the last numbers of `observation` are the action mask; 0 if masks are not stored. */
  readonly mask: number;
  /** Ranges of an observation that are integers 0 to 255, stored as bytes. */
  readonly bytes: readonly Run[];
}

/** The fields of such rows. @internal */
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
