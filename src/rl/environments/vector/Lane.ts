/** One lane of a vector environment, and the calls of its environment. */
import type { Space } from "../../spaces.ts";
import { EnvironmentError, nameOf, thrownBy } from "../face/EnvironmentError.ts";
import type { EnvironmentSpec, Info, ResetOptions } from "../face/HostEnvironment.ts";
import type { VectorStepResult } from "../face/VectorEnvironment.ts";

/** The arrays that the lanes of an environment write the numbers of a step into. */
export type StepRows = Pick<VectorStepResult, "reward" | "terminated" | "truncated" | "final_observation">;

/** The rest of a step's result. */
export interface LaneStep {
  /** Info of the observation after the step. */
  readonly final_info: Info;
  /** Info of the observation to act on next, if the episode continues. */
  readonly info: Info;
  /** Whether the episode ended. */
  readonly ended: boolean;
}

/**
 * One lane of a vector environment, with one agent or several. Its results are checked before they are used.
 */
export interface Lane {
  readonly observation_space: Space;
  readonly action_space: Space;
  /** How many numbers an observation has. */
  readonly width: number;
  /** Number of agents, and of rewards per step. */
  readonly agents: number;
  /**
   * Starts an episode and writes its first observation into a batch.
   * @throws EnvironmentError when the environment throws, or its result violates the interface.
   */
  reset(options: ResetOptions | undefined, batch: Float32Array): Info;
  /** Takes a step and writes its numbers into `rows`. @throws The same errors as `reset`. */
  step(action: readonly number[], rows: StepRows): LaneStep;
}

/** Consecutive one-step episodes, after a longer one, that cause a warning about the environment's reset. */
const MANY_SHORT = 1000;

type Call = "reset" | "step";

/** Calls the environment of one lane. Errors about what it throws or returns name the lane and step. */
export class LaneCalls {
  readonly #environment: { readonly spec?: EnvironmentSpec };
  readonly #lane: number;
  #steps = 0;
  #elapsed = 0;
  /** First action of the current episode. */
  #first = "";
  /** First action of the last longer episode; null before there is one. */
  #survived: string | null = null;
  /** First actions that ended the one-step episodes since then: the latest, and whether any suggest a faulty reset. */
  #fatal: string | null = null;
  #suspect = false;
  /** Number of consecutive one-step episodes; NaN once a longer one has followed them, or after the warning. */
  #short = 0;

  /** @param lane Index of the lane, for messages. */
  constructor(environment: { readonly spec?: EnvironmentSpec }, lane: number) {
    this.#environment = environment;
    this.#lane = lane;
  }

  /** Notes the action of the next step. */
  act(values: readonly number[]): void {
    if (this.#elapsed === 0) this.#first = values.join();
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

  /**
   * Records the end of the current episode; warns if resets do not seem to start a new one. A policy may also have learnt
   * to end episodes at their first step. Then longer ones followed short ones while it learnt, or one action ends them
   * that never began a longer one.
   */
  countEnd(): void {
    if (this.#elapsed > 1) {
      if (this.#short > 0) this.#short = Number.NaN;
      this.#survived = this.#first;
    } else if (this.#survived !== null) {
      this.#suspect ||= this.#first === this.#survived || (this.#short > 0 && this.#first !== this.#fatal);
      this.#fatal = this.#first;
      this.#short++;
    }
    if (!this.#suspect || !(this.#short >= MANY_SHORT)) return;
    this.#short = Number.NaN;
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
