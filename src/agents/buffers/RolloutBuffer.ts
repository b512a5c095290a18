/** A rollout that the host collects step by step, for on-policy learning. */

import { actionType } from "../../rl/contract.ts";
import { bytesIn, isPacked, observationField, type ReplayField, rowWords } from "../../rl/programs.ts";
import { type AgentSpaces, choicesOf, elementSize, type Space, type SpaceElement } from "../../rl/spaces.ts";
import { checkNames, type OptionNames } from "../../specs/checks.ts";
import { withFlatObservations } from "./experiences.ts";
import { RolloutCheck, requireRolloutFields } from "./RolloutCheck.ts";
import { packRows, type ReplayArray, unpackRows } from "./replayRows.ts";

/** One vector step: each field concatenates the values of all lanes. */
export interface FlatRolloutStep {
  /** [num_envs, ...observation]. */
  readonly obs: ArrayLike<number>;
  /** Observations after the step, before any reset. */
  readonly next_obs: ArrayLike<number>;
  /** Actions as sampled by the policy: indices of choices, or numbers before they were clipped or scaled. */
  readonly action: ArrayLike<number>;
  /** [num_envs]; [num_envs, agents] for several agents, like `reward` and `terminated`. */
  readonly log_prob: ArrayLike<number>;
  readonly reward: ArrayLike<number>;
  /** 1 where the task ended; for several agents, in this step or earlier in the episode. */
  readonly terminated: ArrayLike<number>;
  /** 1 where the episode ended for any reason, [num_envs]. */
  readonly done: ArrayLike<number>;
  /** Multi-agent only: 1 for agents that took part in the step, [num_envs, agents] (default: all). */
  readonly present?: ArrayLike<number> | null;
  /** 1 for legal choices, [num_envs, choices] (default: all legal). */
  readonly action_mask?: ArrayLike<number> | null;
  /** Recurrent state before the step, [num_envs, width] by name; required for a recurrent policy. */
  readonly hidden_state?: Readonly<Record<string, ArrayLike<number>>> | null;
}

/** A vector step whose observations may also be elements of a Dict or Tuple by their parts. */
export interface RolloutStep extends Omit<FlatRolloutStep, "obs" | "next_obs"> {
  readonly obs: SpaceElement | readonly SpaceElement[];
  readonly next_obs: SpaceElement | readonly SpaceElement[];
}

const NAMES: OptionNames<RolloutBufferOptions> = {
  capacity: true,
  num_envs: true,
  observation_space: true,
  action_space: true,
  hidden_sizes: true,
};

const EXAMPLE = "{ capacity: 128, num_envs: 16, observation_space, action_space }";

/** A rollout of any length: each field is [steps, num_envs, ...], in row-major order. */
export interface Rollout extends RolloutStep {
  readonly num_envs: number;
}

/** A rollout whose observations are flat numbers. */
export interface FlatRollout extends FlatRolloutStep {
  readonly num_envs: number;
}

export interface RolloutBufferOptions extends Pick<AgentSpaces, "observation_space" | "action_space"> {
  /** Maximum number of vector steps. */
  readonly capacity: number;
  readonly num_envs: number;
  /** Widths of a recurrent policy's state, by name (default: none). */
  readonly hidden_sizes?: Readonly<Record<string, number>>;
}

/** A rollout whose observations are in their stored form, which may be packed. */
export interface StoredRollout extends FlatRollout {
  /** How observations are packed; null if they are numbers. */
  readonly packing: ReplayField | null;
}

/** Numbers of a field. Integers 0 to 255 are bytes, packed (Uint32Array) if mixed with other numbers. */
type RolloutArray = ReplayArray | Uint8Array;

interface RolloutColumn {
  /** How many numbers a step of one lane has. */
  readonly width: number;
  readonly data: RolloutArray;
}

type Field = Exclude<keyof FlatRolloutStep, "action_mask" | "hidden_state" | "present">;

/** Fields of a rollout besides those of its steps. `add` accepts them, so it can add a one-step rollout. */
const OF_ROLLOUTS = ["num_envs"] as const;

/**
 * Stores the steps of one rollout of all lanes, in the form that an on-policy agent learns from.
 *
 * @example
 * ```ts
 * const { num_envs, single_observation_space, single_action_space } = makeVector("CartPole-v1", 8);
 * const buffer = new RolloutBuffer({
 *   capacity: 128,
 *   num_envs,
 *   observation_space: single_observation_space,
 *   action_space: single_action_space,
 * });
 * ```
 */
export class RolloutBuffer {
  readonly capacity: number;
  readonly num_envs: number;
  readonly hidden_sizes: Readonly<Record<string, number>>;
  readonly #check: RolloutCheck;
  readonly #space: Space;
  readonly #observation: ReplayField;
  readonly #fields: ReadonlyMap<Field, RolloutColumn>;
  readonly #mask: Float32Array | null;
  readonly #present: Float32Array | null;
  readonly #hidden: ReadonlyMap<string, Float32Array>;
  #size = 0;

  /**
   * @throws TypeError when an option is unknown.
   * @throws RangeError unless capacity and num_envs are positive integers.
   */
  constructor(options: RolloutBufferOptions, ...positional: never[]) {
    checkNames("RolloutBuffer", options, NAMES, { example: EXAMPLE, positional });
    const { capacity, num_envs, observation_space, action_space, hidden_sizes = {} } = options;
    for (const [name, value] of Object.entries({ capacity, num_envs })) {
      if (!Number.isInteger(value) || value < 1)
        throw new RangeError(`RolloutBuffer.${name}: found ${value}, allowed positive integers`);
    }
    this.capacity = capacity;
    this.num_envs = num_envs;
    this.hidden_sizes = hidden_sizes;
    this.#space = observation_space;
    this.#check = new RolloutCheck({ observation_space, action_space });
    const width = elementSize(observation_space);
    const field = observationField(observation_space);
    this.#observation = field;
    const action = elementSize(action_space);
    const rows = capacity * num_envs;
    const agents = observation_space.kind === "Agents" ? observation_space.ids.length : 1;
    const numbers = (size: number) => ({ width: size, data: new Float32Array(rows * size) });
    const observations = (): RolloutColumn => {
      if (!isPacked(field)) return numbers(width);
      if (bytesIn(field) === width) return { width, data: new Uint8Array(rows * width) };
      return { width, data: new Uint32Array(rows * rowWords(field)) };
    };
    this.#fields = new Map<Field, RolloutColumn>([
      ["obs", observations()],
      ["next_obs", observations()],
      [
        "action",
        actionType(action_space) === "f32"
          ? numbers(action)
          : { width: action, data: new Int32Array(rows * action) },
      ],
      ["log_prob", numbers(agents)],
      ["reward", numbers(agents)],
      ["terminated", numbers(agents)],
      ["done", numbers(1)],
    ]);
    const choices = choicesOf(action_space);
    this.#mask = choices === 0 ? null : new Float32Array(rows * choices);
    this.#present = observation_space.kind === "Agents" ? new Float32Array(rows * agents) : null;
    this.#hidden = new Map(
      Object.entries(hidden_sizes).map(([name, width]) => [name, new Float32Array(rows * width)]),
    );
  }

  /** Number of vector steps held. */
  get size(): number {
    return this.#size;
  }

  get isFull(): boolean {
    return this.#size === this.capacity;
  }

  /**
   * Adds a vector step. After an error, the buffer still has the same steps.
   * @throws RangeError when it is full, or naming the field, and the lane, whose length or values do not fit.
   * @throws TypeError naming the field that is missing, unknown or of the wrong type.
   */
  add(given: RolloutStep): void {
    if (this.isFull)
      throw new RangeError(
        `RolloutBuffer: it is full (${this.capacity} steps); learn from it and clear() it`,
      );
    const step = withFlatObservations("RolloutBuffer.add ", this.#space, given);
    requireRolloutFields("RolloutBuffer.add", step, OF_ROLLOUTS);
    for (const [name, { width }] of this.#fields) requireLength(name, this.num_envs * width, step[name]);
    const fault = this.#check.fault(step);
    if (fault)
      throw new RangeError(`RolloutBuffer.add ${fault.field} of lane ${fault.row}: ${fault.message}`);
    for (const [name, { width, data }] of this.#fields)
      this.#put(name, data, this.num_envs * width, step[name]);
    this.#putFlags("action_mask", this.#mask, step.action_mask);
    this.#putFlags("present", this.#present, step.present);
    for (const [name, values] of this.#hidden) {
      const width = values.length / this.capacity;
      this.#put(`hidden_state.${name}`, values, width, step.hidden_state?.[name] ?? []);
    }
    this.#size++;
  }

  clear(): void {
    this.#size = 0;
  }

  /** The rollout as views that later steps overwrite; observations that mix bytes and numbers are copies. */
  rollout(): FlatRollout {
    const { packing, ...rollout } = this.stored();
    if (!packing) return rollout;
    const numbers = (rows: ArrayLike<number>) => unpackRows(rows as Uint32Array, packing);
    return { ...rollout, obs: numbers(rollout.obs), next_obs: numbers(rollout.next_obs) };
  }

  /** The rollout with observations in their stored form; all fields are views. */
  stored(): StoredRollout {
    const part = <A extends RolloutArray>(data: A): A =>
      data.subarray(0, (data.length / this.capacity) * this.#size) as A;
    const fields = Object.fromEntries([...this.#fields].map(([name, { data }]) => [name, part(data)]));
    return {
      ...(fields as Record<Field, RolloutArray>),
      action_mask: this.#mask && part(this.#mask),
      ...(this.#present && { present: part(this.#present) }),
      hidden_state: Object.fromEntries([...this.#hidden].map(([name, values]) => [name, part(values)])),
      num_envs: this.num_envs,
      packing: fields.obs instanceof Uint32Array ? this.#observation : null,
    };
  }

  /** Writes flags of a step (default: all 1). */
  #putFlags(name: string, data: Float32Array | null, flags: ArrayLike<number> | null | undefined): void {
    if (!data) return;
    const width = data.length / this.capacity;
    if (flags) this.#put(name, data, width, flags);
    else data.fill(1, this.#size * width, (this.#size + 1) * width);
  }

  #put(name: string, data: RolloutArray, length: number, values: ArrayLike<number>): void {
    requireLength(name, length, values);
    const packs = data instanceof Uint32Array;
    const rows = packs ? packRows(values, this.#observation) : values;
    data.set(rows, this.#size * (data.length / this.capacity));
  }
}

/** @throws RangeError naming the field whose length does not fit. */
function requireLength(name: string, length: number, values: ArrayLike<number>): void {
  if (values.length !== length)
    throw new RangeError(`RolloutBuffer.add ${name}: found ${values.length} numbers, allowed ${length}`);
}
