import {
  type AnyVectorEnvironment,
  EnvironmentError,
  endedLanes,
  isAsync,
  nameOf,
  type PlacedLanes,
  thrownBy,
  type VectorResetOptions,
  type VectorResetResult,
  type VectorStepResult,
} from "../../../rl/faces.ts";
import { describeValue, ElementCheck, isArrayLike, isFiniteNumber, isPromise } from "../../../rl/spaces.ts";

const RESET = "{ observation, info }";
const STEP = "{ observation, reward, terminated, truncated, final_observation, info, final_info }";
const NUMBERS = "finite 32-bit numbers";

const isFlag = (flag: unknown): boolean => flag === 0 || flag === 1;

const isNoLane = (lane: number, wanted?: Uint8Array): boolean => wanted?.[lane] === 0;

/** Checks the results of a caller's vector environment, or of one stepped on another thread. */
export class CheckedLanes {
  readonly #env: AnyVectorEnvironment;
  readonly #observations: ElementCheck;
  /** Ids of several agents; null for a single agent. */
  readonly #ids: readonly string[] | null;
  /** 1 for agents whose task has ended in the running episode, [num_envs, agents]. */
  readonly #gone: Uint8Array;
  /** The current call, for error messages. */
  #call = "";
  #steps = 0;

  constructor(env: AnyVectorEnvironment) {
    this.#env = env;
    const space = env.single_observation_space;
    this.#observations = new ElementCheck(space);
    this.#ids = space.kind === "Agents" ? space.ids : null;
    this.#gone = new Uint8Array(env.num_envs * (this.#ids?.length ?? 0));
  }

  reset(options: VectorResetOptions): VectorResetResult | Promise<VectorResetResult> {
    this.#call = this.#steps > 0 ? `env.reset() after step ${this.#steps}` : "env.reset()";
    const env = this.#env;
    if (isAsync(env)) return env.reset(options).then((result) => this.#checkedReset(result));
    return this.#checkedReset(this.#made(() => env.reset(options)));
  }

  step(actions: ArrayLike<number>, wanted?: Uint8Array): VectorStepResult | Promise<VectorStepResult> {
    this.#steps++;
    this.#call = `env.step() ${this.#steps}`;
    const env = this.#env;
    if (isAsync(env)) return env.step(actions, wanted).then((result) => this.#checkedStep(result, wanted));
    return this.#checkedStep(
      this.#made(() => env.step(actions, wanted)),
      wanted,
    );
  }

  /** The lanes at the start of a turn, checked. */
  placed(result: PlacedLanes): PlacedLanes {
    this.#call = "the start of a turn";
    this.#requireEach("begun", result.begun, "0 and 1", isFlag);
    this.#requireObservations("observation", result.observation, result.begun);
    if (!this.#ids) return result;
    const left = result.left ?? new Uint8Array(this.#gone.length);
    this.#requireEach("left", left, "0 and 1", isFlag, undefined, this.#ids);
    this.#gone.set(left);
    return result;
  }

  /** A step that a search took, checked. */
  branched(result: VectorStepResult, wanted: Uint8Array): VectorStepResult {
    this.#call = "a step of a search";
    return this.#checkedStep(result, wanted);
  }

  #checkedReset(result: VectorResetResult): VectorResetResult {
    this.#requireObject(result, RESET);
    this.#gone.fill(0);
    this.#requireObservations("observation", result.observation);
    this.#requireEach("info", result.info, "an object", (info) => typeof info === "object" && info !== null);
    return result;
  }

  #checkedStep(result: VectorStepResult, wanted?: Uint8Array): VectorStepResult {
    this.#requireObject(result, STEP);
    const { terminated, truncated } = result;
    this.#requireEach("reward", result.reward, NUMBERS, isFiniteNumber, wanted, this.#ids);
    this.#requireEach("terminated", terminated, "0 and 1", isFlag, wanted, this.#ids);
    this.#requireEach("truncated", truncated, "0 and 1", isFlag, wanted);
    if (this.#ids) this.#requireGone(result, this.#ids, wanted);
    this.#requireObservations("observation", result.observation, wanted);
    this.#requireObservations("final_observation", result.final_observation, wanted);
    this.#requireEach("info", result.info, "an object", (info) => typeof info === "object" && info !== null);
    return result;
  }

  #made<T>(call: () => T): T {
    try {
      return call();
    } catch (error) {
      throw thrownBy(`${nameOf(this.#env)}: ${this.#call}`, error);
    }
  }

  #requireObject(result: unknown, allowed: string): void {
    const isList = Array.isArray(result) || ArrayBuffer.isView(result);
    if (typeof result === "object" && result !== null && !isList && !isPromise(result)) return;
    const hint = isPromise(result) ? " at once, not from an async function" : "";
    this.#refuse(`found ${describeValue(result)}, allowed an object ${allowed}${hint}`);
  }

  #refuse(message: string): never {
    throw new EnvironmentError(`${nameOf(this.#env)}: ${this.#call}: ${message}`);
  }

  /**
   * For several agents: checks that an agent whose task has ended stays ended and gets no reward until the
   * lane's episode ends.
   */
  #requireGone(result: VectorStepResult, ids: readonly string[], wanted?: Uint8Array): void {
    const { reward, terminated } = result;
    const ended = endedLanes(result);
    for (let i = 0; i < this.#gone.length; i++) {
      const lane = Math.floor(i / ids.length);
      if (isNoLane(lane, wanted)) continue;
      const whose = `of agent ${ids[i % ids.length]} in lane ${lane}`;
      const since = "until the lane's episode ends, since the agent's task ended before";
      if (this.#gone[i] === 1 && terminated[i] === 0)
        this.#refuse(`terminated ${whose}: found 0, allowed 1 ${since}`);
      if (this.#gone[i] === 1 && reward[i] !== 0)
        this.#refuse(`reward ${whose}: found ${reward[i]}, allowed 0 ${since}`);
      this.#gone[i] = ended[lane] === 1 ? 0 : (terminated[i] as number);
    }
  }

  #requireLength(field: string, value: unknown, length: number, ids: readonly string[] | null = null): void {
    if (isArrayLike(value) && value.length === length) return;
    const each = ids ? ` with a value of each of ${ids.join(", ")}` : "";
    this.#refuse(
      `${field}: found ${describeValue(value)}, allowed ${length} values (of ${this.#env.num_envs} lanes${each}, one after another)`,
    );
  }

  /** Checks a value of each lane, or of each agent of each lane. */
  #requireEach(
    field: string,
    values: ArrayLike<unknown>,
    allowed: string,
    allows: (value: unknown) => boolean,
    wanted?: Uint8Array,
    ids: readonly string[] | null = null,
  ): void {
    const each = ids?.length ?? 1;
    this.#requireLength(field, values, this.#env.num_envs * each, ids);
    for (let i = 0; i < values.length; i++) {
      const lane = Math.floor(i / each);
      if (isNoLane(lane, wanted) || allows(values[i])) continue;
      const whose = ids ? `of agent ${ids[i % each]} in lane ${lane}` : `of lane ${lane}`;
      this.#refuse(`${field} ${whose}: found ${describeValue(values[i])}, allowed ${allowed}`);
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
