import { EnvironmentError, nameOf, thrownBy } from "../face/EnvironmentError.ts";
import type { EnvironmentSpec } from "../face/HostEnvironment.ts";

/** Consecutive one-step episodes, after a longer one, that cause a warning about the environment's reset. */
const MANY_SHORT = 1000;

type Call = "reset" | "step";

/** Calls the environment of one lane. Errors about what it throws or returns name the lane and step. */
export class LaneCalls {
  readonly #environment: { readonly spec?: EnvironmentSpec };
  readonly #lane: number;
  #steps = 0;
  #elapsed = 0;
  /** Number of consecutive one-step episodes; null before the first longer episode. */
  #short: number | null = null;

  /** @param lane Index of the lane, for messages. */
  constructor(environment: { readonly spec?: EnvironmentSpec }, lane: number) {
    this.#environment = environment;
    this.#lane = lane;
  }

  /** Makes a call and checks its result. @throws EnvironmentError when it throws or its result is faulty. */
  make<Result>(call: Call, body: () => Result, faultOf: (result: Result) => string | null): Result {
    if (call === "step") {
      this.#steps++;
      this.#elapsed++;
    }
    const result = this.#made(call, body);
    const fault = faultOf(result);
    if (fault !== null) throw new EnvironmentError(`${this.#placeOf(call)}: ${fault}`);
    if (call === "reset") this.#elapsed = 0;
    return result;
  }

  /** Records the end of the current episode; warns if resets do not seem to start a new one. */
  countEnd(): void {
    if (this.#elapsed > 1) this.#short = 0;
    else if (this.#short !== null) this.#short++;
    if (this.#short !== MANY_SHORT) return;
    console.warn(
      `rlkit: ${nameOf(this.#environment)}: ${MANY_SHORT} episodes of lane ${this.#lane} in a row ended at their first step, after longer ones; does env.reset() start a new episode (counters, flags)?`,
    );
  }

  #made<Result>(call: Call, body: () => Result): Result {
    try {
      return body();
    } catch (error) {
      throw thrownBy(this.#placeOf(call), error);
    }
  }

  #placeOf(call: Call): string {
    const when =
      call === "step" ? `, step ${this.#steps}` : this.#steps > 0 ? `, after step ${this.#steps}` : "";
    return `${nameOf(this.#environment)}: env.${call}() of lane ${this.#lane}${when}`;
  }
}
