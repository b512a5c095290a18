/** An agent's buffers in the hands of several members, which use them by turns. */
import { SerialQueue } from "../../kernels/onnx/SerialQueue.ts";
import type { ModelOnDevice } from "../engine/ModelOnDevice.ts";
import { AgentOnDevice, type AgentPlan } from "./AgentOnDevice.ts";

export class SharedAgent {
  readonly agent: AgentOnDevice;
  readonly #turns = new SerialQueue();
  #users = 1;

  constructor(plan: AgentPlan, model: ModelOnDevice) {
    this.agent = new AgentOnDevice(plan, model);
  }

  /** One user more. */
  join(): this {
    this.#users++;
    return this;
  }

  /** One user less; the last one frees the buffers. */
  leave(): void {
    this.#users--;
    if (this.#users === 0) this.agent.close();
  }

  /** Runs `task` when all tasks before have ended. */
  run<T>(task: (agent: AgentOnDevice) => Promise<T>): Promise<T> {
    return this.#turns.run(() => task(this.agent));
  }
}
