import { ElementCheck } from "../../spaces/ElementCheck.ts";
import type { SpaceValue } from "../../spaces/index.ts";
import { EnvironmentError } from "../face/EnvironmentError.ts";
import type {
  Action,
  HostEnvironment,
  ResetOptions,
  ResetResult,
  StepResult,
} from "../face/HostEnvironment.ts";
import { nameOf, thrownBy } from "../face/namingEnvironment.ts";
import { observationFault, resetFault, stepFault } from "../face/resultFault.ts";

/** Episodes of one step in a row, in an environment that had longer ones, after which a reset is suspected. */
const MANY_SHORT = 1000;

/** One environment of several, whose results are checked before anybody reads them. */
export class Lane {
  readonly environment: HostEnvironment;
  /** Numbers of an observation. */
  readonly width: number;
  readonly #check: ElementCheck;
  readonly #lane: number;
  #steps = 0;
  #elapsed = 0;
  /** Episodes of one step in a row; null before the first longer one. */
  #short: number | null = null;

  /** @param lane Its place among the others, for messages. */
  constructor(environment: HostEnvironment, lane: number) {
    this.environment = environment;
    this.#check = new ElementCheck(environment.observation_space);
    this.#lane = lane;
    this.width = this.#check.size;
  }

  /** Starts an episode and puts its first observation into a batch. @throws EnvironmentError for what does not fit the face. */
  reset(options: ResetOptions | undefined, batch: Float32Array): ResetResult {
    const result = this.#call("reset", () =>
      options === undefined ? this.environment.reset() : this.environment.reset(options),
    );
    this.#place(batch, result, resetFault(result), "reset");
    this.#elapsed = 0;
    return result;
  }

  /** Takes a step and puts the observation that it led to into a batch. @throws As `reset`. */
  step(action: Action, batch: Float32Array): StepResult {
    this.#steps++;
    this.#elapsed++;
    const result = this.#call("step", () => this.environment.step(action));
    this.#place(batch, result, stepFault(result), "step");
    if (result.terminated || result.truncated) this.#countEnd();
    return result;
  }

  #call<T>(call: "reset" | "step", body: () => T): T {
    try {
      return body();
    } catch (error) {
      throw thrownBy(this.#placeOf(call), error);
    }
  }

  #place(
    batch: Float32Array,
    result: { readonly observation: SpaceValue },
    fault: string | null,
    call: "reset" | "step",
  ): void {
    const { observation_space } = this.environment;
    const wrong = fault ?? observationFault(result, observation_space, this.#check);
    if (wrong !== null) throw new EnvironmentError(`${this.#placeOf(call)}: ${wrong}`);
    const { observation } = result;
    const at = this.#lane * this.width;
    if (typeof observation === "number") batch[at] = observation;
    else batch.set(observation, at);
  }

  #countEnd(): void {
    if (this.#elapsed > 1) this.#short = 0;
    else if (this.#short !== null) this.#short++;
    if (this.#short !== MANY_SHORT) return;
    console.warn(
      `rlkit: ${nameOf(this.environment)}: ${MANY_SHORT} episodes of lane ${this.#lane} in a row ended at their first step, after longer ones; does env.reset() start a new episode (counters, flags)?`,
    );
  }

  #placeOf(call: "reset" | "step"): string {
    const when =
      call === "step" ? `, step ${this.#steps}` : this.#steps > 0 ? `, after step ${this.#steps}` : "";
    return `${nameOf(this.environment)}: env.${call}() of lane ${this.#lane}${when}`;
  }
}
