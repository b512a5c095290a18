/** An agent's buffers, shared by several agents that take turns. */
import { SerialQueue } from "../../kernels/devices.ts";
import type { ModelOnDevice } from "../engine/ModelOnDevice.ts";
import { AgentOnDevice, type AgentPlan } from "./AgentOnDevice.ts";

export class SharedAgent {
  readonly agent: AgentOnDevice;
  readonly #turns = new SerialQueue();
  #users = 1;

  constructor(plan: AgentPlan, model: ModelOnDevice) {
    this.agent = new AgentOnDevice(plan, model);
  }

  /** Adds a user. */
  join(): this {
    this.#users++;
    return this;
  }

  /** Removes a user; the last one frees the buffers. */
  leave(): void {
    this.#users--;
    if (this.#users === 0) this.agent.close();
  }

  /** Runs `task` after all earlier tasks have ended. */
  run<T>(task: (agent: AgentOnDevice) => Promise<T>): Promise<T> {
    return this.#turns.run(() => task(this.agent));
  }
}
