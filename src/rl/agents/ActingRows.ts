import { type ActionMask, maskValues } from "../environments/face/actionMasks.ts";
import type { AgentSession } from "../runtime/wasm/AgentSession.ts";
import type { Residence } from "../runtime/wasm/Residence.ts";
import { describeValue, isArrayLike } from "../spaces/describeValue.ts";
import { ElementCheck } from "../spaces/ElementCheck.ts";
import { describeSpace, elementSize } from "../spaces/index.ts";

/** Options that accompany the observations that an agent acts on. */
export interface RowOptions {
  /** Number of consecutive observations. If unset, there is a single one. */
  readonly num_envs?: number;
  readonly action_mask?: ActionMask | null;
}

/**
 * Inputs and outputs of an agent's acting programs: observations and actions, as consecutive rows of lanes.
 */
export class ActingRows {
  readonly #session: AgentSession;
  readonly #check: ElementCheck;

  constructor(session: AgentSession) {
    this.#session = session;
    this.#check = new ElementCheck(session.layout.observation_space);
  }

  /**
   * Writes observations and masks to the buffers of an acting program.
   * @throws RangeError when an observation or a mask does not fit, naming the number and, with `num_envs`,
   *   the lane; TypeError for an observation of another type.
   */
  present(
    purpose: "act" | "greedy",
    observation: number | ArrayLike<number>,
    { num_envs, action_mask }: RowOptions,
  ): Residence {
    const { observation_space, action_space } = this.#session.layout;
    const lanes = requireLanes(num_envs);
    const values = typeof observation === "number" ? [observation] : observation;
    if (!isArrayLike(values))
      throw new TypeError(
        `getAction observation: found ${describeValue(values)}, allowed ${describeSpace(observation_space)}`,
      );
    const length = lanes * elementSize(observation_space);
    if (values.length !== length) {
      const hint = num_envs === undefined ? "; for several observations give num_envs" : "";
      throw new RangeError(`getAction observation: found ${values.length} numbers, allowed ${length}${hint}`);
    }
    const fault = this.#check.fault(values);
    if (fault) {
      const lane = num_envs === undefined ? "" : ` of lane ${fault.row}`;
      throw new RangeError(
        `getAction observation${fault.place}${lane}: found ${describeValue(fault.found)}, allowed ${fault.allowed}`,
      );
    }
    const mask = maskValues(action_space, lanes, action_mask);
    const residence = this.#session.open([purpose], { num_envs: lanes });
    residence.arena.write("act.obs", values);
    if (mask) residence.arena.write("act.mask", mask);
    return residence;
  }

  /** Greedy actions of an agent without recurrent state. */
  greedy(observation: number | ArrayLike<number>, options: RowOptions): Float32Array | Int32Array {
    const { arena } = this.present("greedy", observation, options);
    this.#session.run("greedy");
    return arena.read("act.greedy") as Float32Array | Int32Array;
  }

  /**
   * Actions with an off-policy algorithm's exploration. `epsilon`: probability of a random action, if the
   * algorithm uses it.
   */
  explore(
    observation: number | ArrayLike<number>,
    options: RowOptions,
    epsilon: number,
  ): Float32Array | Int32Array {
    const residence = this.present("act", observation, options);
    residence.set("epsilon", epsilon);
    residence.set("eps_decay", 1);
    residence.set("eps_end", 0);
    this.#session.run("act");
    return residence.arena.read("act.applied") as Float32Array | Int32Array;
  }
}

/** @throws RangeError unless the number of lanes is a positive integer. */
export function requireLanes(num_envs: number | undefined): number {
  const lanes = num_envs ?? 1;
  if (Number.isInteger(lanes) && lanes >= 1) return lanes;
  throw new RangeError(`getAction num_envs: found ${lanes}, allowed positive integers`);
}
