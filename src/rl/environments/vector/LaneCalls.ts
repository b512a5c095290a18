import { EnvironmentError } from "../face/EnvironmentError.ts";
import type { EnvironmentSpec } from "../face/HostEnvironment.ts";
import { nameOf, thrownBy } from "../face/namingEnvironment.ts";

/** Episodes of one step in a row, in an environment that had longer ones, after which a reset is suspected. */
const MANY_SHORT = 1000;

type Call = "reset" | "step";

/** Calls of one environment of several: what it throws or gives wrongly is told with lane and step. */
export class LaneCalls {
  readonly #environment: { readonly spec?: EnvironmentSpec };
  readonly #lane: number;
  #steps = 0;
  #elapsed = 0;
  /** Episodes of one step in a row; null before the first longer one. */
  #short: number | null = null;

  /** @param lane Its place among the others, for messages. */
  constructor(environment: { readonly spec?: EnvironmentSpec }, lane: number) {
    this.#environment = environment;
    this.#lane = lane;
  }

  /** Makes a call and has what it gave checked. @throws EnvironmentError for what it throws, and for a fault. */
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

  /** Notes that the episode under way has ended; warns where resets seem to start no new one. */
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
