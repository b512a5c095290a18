import { EnvironmentError } from "../../environments/face/EnvironmentError.ts";
import { nameOf, thrownBy } from "../../environments/face/namingEnvironment.ts";
import type {
  VectorEnvironment,
  VectorResetOptions,
  VectorResetResult,
  VectorStepResult,
} from "../../environments/face/VectorEnvironment.ts";
import { describeValue, isArrayLike, isPromise } from "../../spaces/describeValue.ts";
import { ElementCheck } from "../../spaces/ElementCheck.ts";
import { isFiniteNumber } from "../../spaces/finiteNumbers.ts";

const RESET = "{ observation, info }";
const STEP = "{ observation, reward, terminated, truncated, final_observation, info, final_info }";
const NUMBERS = "finite numbers of 32 bits";

const isNoLane = (lane: number, wanted?: Uint8Array): boolean => wanted?.[lane] === 0;

/** A vector environment of the caller's, with its results checked. */
export class CheckedLanes {
  readonly #env: VectorEnvironment;
  readonly #observations: ElementCheck;
  /** The call under way. */
  #call = "";
  #steps = 0;

  constructor(env: VectorEnvironment) {
    this.#env = env;
    this.#observations = new ElementCheck(env.single_observation_space);
  }

  reset(options: VectorResetOptions): VectorResetResult {
    this.#call = this.#steps > 0 ? `env.reset() after step ${this.#steps}` : "env.reset()";
    const result = this.#made(RESET, () => this.#env.reset(options));
    this.#requireObservations("observation", result.observation);
    this.#requireEach("info", result.info, "an object", (info) => typeof info === "object" && info !== null);
    return result;
  }

  step(actions: ArrayLike<number>, wanted?: Uint8Array): VectorStepResult {
    this.#steps++;
    this.#call = `env.step() ${this.#steps}`;
    const result = this.#made(STEP, () => this.#env.step(actions, wanted));
    const { terminated, truncated } = result;
    this.#requireEach("reward", result.reward, NUMBERS, isFiniteNumber, wanted);
    for (const [field, flags] of Object.entries({ terminated, truncated }))
      this.#requireEach(field, flags, "0 and 1", (flag) => flag === 0 || flag === 1, wanted);
    this.#requireObservations("observation", result.observation, wanted);
    this.#requireObservations("final_observation", result.final_observation, wanted);
    this.#requireEach("info", result.info, "an object", (info) => typeof info === "object" && info !== null);
    return result;
  }

  #made<T extends object>(allowed: string, call: () => T): T {
    let result: T;
    try {
      result = call();
    } catch (error) {
      throw thrownBy(`${nameOf(this.#env)}: ${this.#call}`, error);
    }
    const isList = Array.isArray(result) || ArrayBuffer.isView(result);
    if (typeof result === "object" && result !== null && !isList && !isPromise(result)) return result;
    const hint = isPromise(result) ? " at once, not from an async function" : "";
    return this.#refuse(`found ${describeValue(result)}, allowed an object ${allowed}${hint}`);
  }

  #refuse(message: string): never {
    throw new EnvironmentError(`${nameOf(this.#env)}: ${this.#call}: ${message}`);
  }

  #requireLength(field: string, value: unknown, length: number): void {
    if (isArrayLike(value) && value.length === length) return;
    this.#refuse(
      `${field}: found ${describeValue(value)}, allowed ${length} values (of ${this.#env.num_envs} lanes, one after another)`,
    );
  }

  /** A value of each lane. */
  #requireEach(
    field: string,
    values: ArrayLike<unknown>,
    allowed: string,
    allows: (value: unknown) => boolean,
    wanted?: Uint8Array,
  ): void {
    this.#requireLength(field, values, this.#env.num_envs);
    for (let lane = 0; lane < values.length; lane++) {
      if (isNoLane(lane, wanted) || allows(values[lane])) continue;
      this.#refuse(`${field} of lane ${lane}: found ${describeValue(values[lane])}, allowed ${allowed}`);
    }
  }

  #requireObservations(field: string, values: Float32Array, wanted?: Uint8Array): void {
    const { size } = this.#observations;
    this.#requireLength(field, values, this.#env.num_envs * size);
    if (this.#observations.fault(values) === null) return;
    for (let lane = 0; lane < this.#env.num_envs; lane++) {
      const fault = this.#observations.fault(values.slice(lane * size, (lane + 1) * size));
      if (isNoLane(lane, wanted) || !fault) continue;
      const { place, found, allowed } = fault;
      this.#refuse(`${field}${place} of lane ${lane}: found ${describeValue(found)}, allowed ${allowed}`);
    }
  }
}
