import type { DDPGSpecInput } from "../../specs/index.ts";
import type { Experiences } from "../buffers/experiences.ts";
import type { AgentContext, AgentOptions } from "./agentOptions.ts";
import { type ActorCriticLosses, DeterministicAgent } from "./DeterministicAgent.ts";
import { loadStored } from "./SingleAgentAlgorithm.ts";

export type DDPGOptions = AgentOptions<Omit<DDPGSpecInput, "name">>;

/** An agent of deep deterministic policy gradients (Lillicrap et al. 2016), for Box actions. */
export class DDPG extends DeterministicAgent {
  /** @throws SpecError for invalid fields and for action spaces that are not a Box. */
  constructor(options: DDPGOptions) {
    super("DDPG", options);
  }

  /** An agent that was saved. @throws RangeError when the file holds another algorithm's; StorageError of the store. */
  static async load(path: string, context: Partial<AgentContext> = {}): Promise<DDPG> {
    return new DDPG({ ...(await loadStored(path, context, "DDPG")), ...context });
  }

  override clone(index?: number): DDPG {
    return new DDPG({ ...this.context, state: this.clonedState(index) });
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
