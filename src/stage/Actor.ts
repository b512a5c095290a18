/** A policy on a device: the greedy action for what it sees. */
import type { WasmDevice } from "../kernels/wasm/device.ts";
import type { AgentState } from "../rl/member/agentState.ts";
import { hasValue } from "../rl/programs/value.ts";
import { structureOf } from "../rl/runtime/programSet.ts";
import { AgentSession } from "../rl/runtime/wasm/AgentSession.ts";
import type { Residence } from "../rl/runtime/wasm/Residence.ts";
import type { AgentSpaces } from "../rl/spaces/index.ts";
import type { Situation } from "./PlayedEnvironment.ts";

export interface ActorOptions {
  /** Whether it is to say what it expects; false unless given. */
  readonly rated?: boolean;
  /** Whether it is to tell what its layers give; false unless given. */
  readonly watched?: boolean;
}

export class Actor {
  readonly #session: AgentSession;
  readonly #residence: Residence;
  readonly #hasValue: boolean;
  readonly #greedy: "greedy" | "watched";

  /** Compiles the policy's programs, unless those of its structure are there. */
  constructor(
    device: WasmDevice,
    { observation_space, action_space }: AgentSpaces,
    agent: AgentState,
    { rated = false, watched = false }: ActorOptions = {},
  ) {
    // Greedy acting draws nothing, so that any seed will do.
    this.#session = new AgentSession(device, { observation_space, action_space }, agent, 0);
    this.#hasValue = rated && hasValue(structureOf(agent));
    this.#greedy = watched ? "watched" : "greedy";
    const purposes = this.#hasValue ? ([this.#greedy, "value"] as const) : [this.#greedy];
    this.#residence = this.#session.open(purposes, { num_envs: 1 });
  }

  /** An episode begins, of which nothing is remembered. */
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

  /** What it expects to come, discounted, of what it saw when it acted last; null where it cannot say. */
  value(): number | null {
    if (!this.#hasValue) return null;
    this.#session.run("value");
    return this.#residence.number("act.value");
  }

  /** What each layer gave when it acted last, where it is watched; see `AgentSession.layerOutputs`. */
  layerOutputs(): Iterable<readonly [layer: string, values: ArrayLike<number>]> {
    return this.#session.layerOutputs();
  }

  release(): void {
    this.#session.release();
  }
}
