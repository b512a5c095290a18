import { type ActionMask, maskValues } from "../../rl/faces.ts";
import {
  describeSpace,
  describeValue,
  ElementCheck,
  elementRows,
  elementSize,
  isArrayLike,
} from "../../rl/spaces.ts";
import type { AgentSession } from "../runtime/wasm/AgentSession.ts";

/** Options that accompany the observations that an agent acts on. */
export interface RowOptions {
  /** Number of consecutive observations (default: as many as there are). */
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
   * Observations as flat numbers, with `num_envs` if there are several. Unless it is given, the number of
   * observations follows from their length.
   * @throws TypeError or RangeError naming the observation, and its key, that does not fit.
   */
  flat<Options extends RowOptions>(
    observation: unknown,
    options: Options,
  ): readonly [values: number | ArrayLike<number>, options: Options] {
    const { observation_space } = this.#session.layout;
    const isFlat = ArrayBuffer.isView(observation);
    // `present` refuses anything but a list of numbers.
    const values = (
      isFlat ? observation : elementRows("getAction observation", observation_space, observation)
    ) as number | ArrayLike<number>;
    if (options.num_envs !== undefined || !isArrayLike(values)) return [values, options];
    const isList = values !== observation && Array.isArray(observation) && observation_space.kind !== "Tuple";
    const rows = values.length / elementSize(observation_space);
    const several = Number.isInteger(rows) && (rows > 1 || (rows === 1 && isList));
    return [values, several ? { ...options, num_envs: rows } : options];
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
  ) {
    const { observation_space, action_space } = this.#session.layout;
    const lanes = requireLanes(num_envs);
    const values = typeof observation === "number" ? [observation] : observation;
    if (!isArrayLike(values))
      throw new TypeError(
        `getAction observation: found ${describeValue(values)}, allowed ${describeSpace(observation_space)}`,
      );
    const length = lanes * elementSize(observation_space);
    if (values.length !== length) {
      const several = num_envs === undefined ? ", or a multiple for several observations" : "";
      throw new RangeError(
        `getAction observation: found ${values.length} numbers, allowed ${length}${several}`,
      );
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
