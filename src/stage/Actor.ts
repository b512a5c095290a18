/** A policy on a device: the greedy action for what it sees. */
import type { WasmDevice } from "../kernels/wasm/device.ts";
import type { AgentState } from "../rl/member/agentState.ts";
import { hasValue } from "../rl/programs/value.ts";
import { structureOf } from "../rl/runtime/programSet.ts";
import { AgentSession } from "../rl/runtime/wasm/AgentSession.ts";
import type { Residence } from "../rl/runtime/wasm/Residence.ts";
import type { AgentSpaces } from "../rl/spaces/index.ts";
import type { Situation } from "./PlayedEnvironment.ts";

export class Actor {
  readonly #session: AgentSession;
  readonly #residence: Residence;
  readonly #hasValue: boolean;

  /**
   * Compiles the policy's programs, unless those of its structure are there.
   * @param rated Whether it is to say what it expects.
   */
  constructor(
    device: WasmDevice,
    { observation_space, action_space }: AgentSpaces,
    agent: AgentState,
    rated = false,
  ) {
    // Greedy acting draws nothing, so that any seed will do.
    this.#session = new AgentSession(device, { observation_space, action_space }, agent, 0);
    this.#hasValue = rated && hasValue(structureOf(agent));
    this.#residence = this.#session.open(this.#hasValue ? ["greedy", "value"] : ["greedy"], { num_envs: 1 });
  }

  /** An episode begins, of which nothing is remembered. */
  forget(): void {
    this.#session.forget();
  }

  act({ observation, mask }: Situation): number[] {
    const { arena } = this.#residence;
    arena.write("act.obs", observation);
    if (mask) arena.write("act.mask", mask);
    this.#session.run("greedy");
    return Array.from(arena.view("act.greedy"));
  }

  /** What it expects to come, discounted, of what it saw when it acted last; null where it cannot say. */
  value(): number | null {
    if (!this.#hasValue) return null;
    this.#session.run("value");
    return this.#residence.number("act.value");
  }

  release(): void {
    this.#session.release();
  }
}
