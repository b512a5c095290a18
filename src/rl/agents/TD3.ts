import type { TD3SpecInput } from "../../specs/index.ts";
import type { Experiences } from "../buffers/experiences.ts";
import type { AgentContext, AgentOptions } from "./agentOptions.ts";
import { type ActorCriticLosses, DeterministicAgent } from "./DeterministicAgent.ts";
import { loadStored } from "./SingleAgentAlgorithm.ts";

export type TD3Options = AgentOptions<Omit<TD3SpecInput, "name">>;

/** An agent of twin delayed deterministic policy gradients (Fujimoto et al. 2018), for Box actions. */
export class TD3 extends DeterministicAgent {
  /** @throws SpecError for invalid fields and for action spaces that are not a Box. */
  constructor(options: TD3Options) {
    super("TD3", options);
  }

  /** An agent that was saved. @throws RangeError when the file holds another algorithm's; StorageError of the store. */
  static async load(path: string, context: Partial<AgentContext> = {}): Promise<TD3> {
    return new TD3({ ...(await loadStored(path, context, "TD3")), ...context });
  }

  override clone(index?: number): TD3 {
    return new TD3({ ...this.context, state: this.clonedState(index) });
  }

  /**
   * One learning step from a batch of transitions, of any size, whose actions lie on the policy's scale.
   * @returns the losses; the policy's is null in steps that leave it alone (see `policy_freq`).
   * @throws RangeError naming the field that does not fit.
   */
  learn(experiences: Experiences): ActorCriticLosses {
    return this.losses(experiences);
  }
}
