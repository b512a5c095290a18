/** A policy on a device: it returns the greedy action for an observation. */

import { AgentSession, type AgentState, type Residence, structureOf } from "../agents/members.ts";
import type { WasmDevice } from "../kernels/devices.ts";
import { hasValue } from "../rl/programs.ts";
import type { AgentSpaces } from "../rl/spaces.ts";
import type { Situation } from "./PlayedEnvironment.ts";

interface GreedyPolicyOptions {
  /** Whether to compute the value estimate (default: false). */
  readonly rated?: boolean;
  /** Whether to expose the outputs of the layers (default: false). */
  readonly watched?: boolean;
}

export class GreedyPolicy {
  readonly #session: AgentSession;
  readonly #residence: Residence;
  readonly #hasValue: boolean;
  readonly #greedy: "greedy" | "watched";

  /** Compiles the policy's programs, unless those of its structure are cached. */
  constructor(
    device: WasmDevice,
    { observation_space, action_space }: AgentSpaces,
    agent: AgentState,
    { rated = false, watched = false }: GreedyPolicyOptions = {},
  ) {
    // Greedy actions use no random numbers, so any seed will do.
    this.#session = new AgentSession(device, { observation_space, action_space }, agent, 0);
    this.#hasValue = rated && hasValue(structureOf(agent));
    this.#greedy = watched ? "watched" : "greedy";
    const purposes = this.#hasValue ? ([this.#greedy, "value"] as const) : [this.#greedy];
    this.#residence = this.#session.open(purposes, { num_envs: 1 });
  }

  /** Clears the recurrent state for a new episode. */
  forget(): void {
    this.#session.forget();
  }

  act({ observation, mask }: Situation): number[] {
    const { arena } = this.#residence;
    arena.write("act.obs", observation);
    if (mask) arena.write("act.mask", mask);
    this.#session.run(this.#greedy);
    return Array.from(arena.view("act.greedy"));
  }

  /**
   * Estimated discounted return from the observation that was acted on last; null without a value estimate.
   */
  value(): number | null {
    if (!this.#hasValue) return null;
    this.#session.run("value");
    return this.#residence.number("act.value");
  }

  /** Each layer's outputs for the last action, if `watched`; see `AgentSession.layerOutputs`. */
  layerOutputs(): Iterable<readonly [layer: string, values: ArrayLike<number>]> {
    return this.#session.layerOutputs();
  }

  release(): void {
    this.#session.release();
  }
}
