import type { RainbowDQNSpecInput } from "../../specs/index.ts";
import type { Experiences } from "../buffers/experiences.ts";
import type { AgentContext, AgentOptions } from "./agentOptions.ts";
import { type BatchOptions, OffPolicyAgent } from "./OffPolicyAgent.ts";
import { type ActingOptions, loadStored, type Observation } from "./SingleAgentAlgorithm.ts";

export type RainbowDQNOptions = AgentOptions<Omit<RainbowDQNSpecInput, "name">>;

/** An agent of Rainbow (Hessel et al. 2018), for Discrete actions. It explores by the noise of its weights. */
export class RainbowDQN extends OffPolicyAgent {
  /** @throws SpecError for invalid fields and for action spaces that are not Discrete. */
  constructor(options: RainbowDQNOptions) {
    super("RainbowDQN", options);
  }

  /** An agent that was saved. @throws RangeError when the file holds another algorithm's; StorageError of the store. */
  static async load(path: string, context: Partial<AgentContext> = {}): Promise<RainbowDQN> {
    return new RainbowDQN({ ...(await loadStored(path, context, "RainbowDQN")), ...context });
  }

  override clone(index?: number): RainbowDQN {
    return new RainbowDQN({ ...this.context, state: this.clonedState(index) });
  }

  /** The legal choice of highest value, with noisy weights while training. */
  override getAction(
    observation: Observation,
    options?: ActingOptions & { readonly num_envs?: undefined },
  ): number;
  override getAction(observation: Observation, options: ActingOptions): Int32Array | number;
  override getAction(observation: Observation, options: ActingOptions = {}): Int32Array | number {
    const { training = true } = options;
    const action = training ? this.explore(observation, options) : this.greedyAction(observation, options);
    return action as Int32Array | number;
  }

  /**
   * One learning step from a batch of transitions, of any size.
   * @returns the loss, and the new priority of each transition: its cross entropy plus `prior_eps`.
   * @throws RangeError naming the field that does not fit.
   */
  learn(experiences: Experiences, options: BatchOptions = {}): { loss: number; priorities: Float32Array } {
    const { metrics, priorities } = this.learnBatch(experiences, options);
    const prior_eps = Number(this.hyperparameters.prior_eps);
    return {
      loss: metrics.loss as number,
      priorities: (priorities as Float32Array).map((error) => error + prior_eps),
    };
  }
}
