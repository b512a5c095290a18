/** One lane of a vector environment, and the calls of its environment. */
import { isPromise, type Space } from "../../spaces.ts";
import { EnvironmentError, nameOf, thrownBy } from "../face/EnvironmentError.ts";
import type { EnvironmentSpec, Info, ResetOptions } from "../face/HostEnvironment.ts";
import { type Packet, packed, unpacked } from "../face/packet.ts";
import { plainFault } from "../face/plainData.ts";
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
  /** The state of the running episode; null if the environment has no `save`. @throws EnvironmentError for a fault. */
  save(): SavedLane | null;
  /** @throws EnvironmentError for a state that the environment does not take. */
  load(saved: SavedLane): void;
  /** 1 for agents whose task has ended in the running episode. */
  readonly gone: Uint8Array;
}

/** The state of a lane's episode. */
export interface SavedLane {
  readonly state: Packet;
  /** Steps of the episode. */
  readonly elapsed: number;
  /** Several agents: as `gone` of the lane. */
  readonly gone: Uint8Array;
}

/** What of an environment its lane's calls need. */
interface Called {
  readonly spec?: EnvironmentSpec;
  save?(): unknown;
  load?(state: unknown, elapsed: number): void;
}

/** Consecutive one-step episodes, after a longer one, that cause a warning about the environment's reset. */
const MANY_SHORT = 1000;

const loadFault = (result: unknown): string | null =>
  isPromise(result) ? "found a promise, allowed nothing: it must not be async" : null;

type Call = "reset" | "step" | "save" | "load";

/** Calls the environment of one lane. Errors about what it throws or returns name the lane and step. */
export class LaneCalls {
  readonly #environment: Called;
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
  constructor(environment: Called, lane: number) {
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

  /** As `save` of a lane. */
  save(gone: Uint8Array): SavedLane | null {
    const environment = this.#environment;
    if (!environment.save) return null;
    const state = this.make(
      "save",
      () => environment.save?.(),
      (given) => plainFault(given),
    );
    // The state may be a single number or text.
    return { state: packed([state]), elapsed: this.#elapsed, gone: gone.slice() };
  }

  /** As `load` of a lane. */
  load({ state, elapsed }: SavedLane): void {
    const [given] = unpacked(state) as readonly unknown[];
    this.make("load", () => this.#environment.load?.(given, elapsed), loadFault);
    this.#elapsed = elapsed;
  }

  #made<Result>(call: Call, body: () => Result): Result {
    try {
      return body();
    } catch (error) {
      const { message, cause } = thrownBy(this.#placeOf(call), error);
      const allowed = call === "load" ? "; allowed: it takes every state that save() gives" : "";
      throw new EnvironmentError(`${message}${allowed}`, { cause });
    }
  }

  #placeOf(call: Call): string {
    const when =
      call === "step" ? `, step ${this.#steps}` : this.#steps > 0 ? `, after step ${this.#steps}` : "";
    return `${nameOf(this.#environment)}: env.${call}() of lane ${this.#lane}${when}`;
  }
}
