/** A roll-out that the host collects, step by step, for on-policy learning. */
import { checkNames, type OptionNames } from "../../specs/checkOptions.ts";
import { actionType } from "../contract/choices.ts";
import { observationField } from "../programs/replayFields.ts";
import { bytesIn, isPacked, type ReplayField, rowWords } from "../programs/rowLayout.ts";
import { packRows, type ReplayArray, unpackRows } from "../runtime/replayRows.ts";
import { choicesOf } from "../spaces/choices.ts";
import { type AgentSpaces, elementSize } from "../spaces/index.ts";
import { RolloutCheck, requireRolloutFields } from "./RolloutCheck.ts";

/** One vector step: fields of all lanes one after another. */
export interface RolloutStep {
  /** [num_envs, ...observation]. */
  readonly obs: ArrayLike<number>;
  /** Where the step led, before any reset. */
  readonly next_obs: ArrayLike<number>;
  /** As the policy drew it: a choice's position, or numbers before they were clipped or scaled. */
  readonly action: ArrayLike<number>;
  /** [num_envs]; of several agents [num_envs, agents], as are `reward` and `terminated`. */
  readonly log_prob: ArrayLike<number>;
  readonly reward: ArrayLike<number>;
  /** 1 where the task ended, of several agents now or earlier in the episode. */
  readonly terminated: ArrayLike<number>;
  /** 1 where the episode ended for any reason, [num_envs]. */
  readonly done: ArrayLike<number>;
  /** Of several agents: 1 for those that took part in the step, [num_envs, agents]; all of them unless given. */
  readonly present?: ArrayLike<number> | null;
  /** 1 for legal choices, [num_envs, choices]; all of them unless given. */
  readonly action_mask?: ArrayLike<number> | null;
  /** What a recurrent policy remembered before the step, [num_envs, width] by name; needed by one. */
  readonly hidden_state?: Readonly<Record<string, ArrayLike<number>>> | null;
}

const NAMES: OptionNames<RolloutBufferOptions> = {
  capacity: true,
  num_envs: true,
  observation_space: true,
  action_space: true,
  hidden_sizes: true,
};

const EXAMPLE = "{ capacity: 128, num_envs: 16, observation_space, action_space }";

/** A roll-out of any length: each field [steps, num_envs, ...], in row-major order. */
export interface Rollout extends RolloutStep {
  readonly num_envs: number;
}

export interface RolloutBufferOptions extends Omit<AgentSpaces, "masked"> {
  /** Vector steps that it holds. */
  readonly capacity: number;
  readonly num_envs: number;
  /** Widths of what a recurrent policy remembers, by name; none unless given. */
  readonly hidden_sizes?: Readonly<Record<string, number>>;
}

/** A roll-out whose observations are as they lie, which may be packed. */
export interface StoredRollout extends Rollout {
  /** How observations are packed; null where they are numbers. */
  readonly packing: ReplayField | null;
}

/** Numbers of a field; whole numbers 0 .. 255 are kept as bytes, and packed (Uint32Array) where others are beside them. */
type RolloutArray = ReplayArray | Uint8Array;

interface RolloutColumn {
  /** Numbers of a lane's step. */
  readonly width: number;
  readonly data: RolloutArray;
}

type Field = Exclude<keyof RolloutStep, "action_mask" | "hidden_state" | "present">;

/** What a roll-out has beside the fields of its steps: one of a single step may be added as it is. */
const OF_ROLLOUTS = ["num_envs"] as const;

/**
 * Keeps the steps of one roll-out of all lanes, as an on-policy agent learns from them.
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
  readonly #observation: ReplayField;
  readonly #fields: ReadonlyMap<Field, RolloutColumn>;
  readonly #mask: Float32Array | null;
  readonly #present: Float32Array | null;
  readonly #hidden: ReadonlyMap<string, Float32Array>;
  #size = 0;

  /** @throws TypeError for options that are unknown; RangeError unless capacity and num_envs are positive integers. */
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

  /** Vector steps held. */
  get size(): number {
    return this.#size;
  }

  get isFull(): boolean {
    return this.#size === this.capacity;
  }

  /**
   * @throws RangeError when it is full, or naming the field whose length or values do not fit, with the lane; TypeError
   *   naming the one that is missing, unknown or of another kind. The buffer is then as it was.
   */
  add(step: RolloutStep): void {
    if (this.isFull)
      throw new RangeError(
        `RolloutBuffer: it is full (${this.capacity} steps); learn from it and clear() it`,
      );
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

  /** What it holds, as views: the next steps write over them. Observations with bytes beside other numbers are copies. */
  rollout(): Rollout {
    const { packing, ...rollout } = this.stored();
    if (!packing) return rollout;
    const numbers = (rows: ArrayLike<number>) => unpackRows(rows as Uint32Array, packing);
    return { ...rollout, obs: numbers(rollout.obs), next_obs: numbers(rollout.next_obs) };
  }

  /** The same with observations as they lie, all of it views. */
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

  /** Flags of a step, all of them 1 unless given. */
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

/** @throws RangeError naming the field. */
function requireLength(name: string, length: number, values: ArrayLike<number>): void {
  if (values.length !== length)
    throw new RangeError(`RolloutBuffer.add ${name}: found ${values.length} numbers, allowed ${length}`);
}
