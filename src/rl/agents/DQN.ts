import type { DQNSpecInput } from "../../specs/index.ts";
import type { Experiences } from "../buffers/experiences.ts";
import type { AgentContext, AgentOptions } from "./agentOptions.ts";
import { OffPolicyAgent } from "./OffPolicyAgent.ts";
import { type ActingOptions, loadStored, type Observation } from "./SingleAgentAlgorithm.ts";

export type DQNOptions = AgentOptions<Omit<DQNSpecInput, "name">>;

export interface DQNActingOptions extends ActingOptions {
  /** Chance of a random legal action; 0 unless given. */
  readonly epsilon?: number;
}

/** An agent of deep Q-learning (Mnih et al. 2015), for Discrete actions. */
export class DQN extends OffPolicyAgent {
  /** @throws SpecError for invalid fields and for action spaces that are not Discrete. */
  constructor(options: DQNOptions) {
    super("DQN", options);
  }

  /** An agent that was saved. @throws RangeError when the file holds another algorithm's; StorageError of the store. */
  static async load(path: string, context: Partial<AgentContext> = {}): Promise<DQN> {
    return new DQN({ ...(await loadStored(path, context, "DQN")), ...context });
  }

  override clone(index?: number): DQN {
    return new DQN({ ...this.context, state: this.clonedState(index) });
  }

  /** With `epsilon` a random legal choice, else the legal one of highest value. */
  override getAction(
    observation: Observation,
    options?: DQNActingOptions & { readonly num_envs?: undefined },
  ): number;
  override getAction(observation: Observation, options: DQNActingOptions): Int32Array | number;
  override getAction(observation: Observation, options: DQNActingOptions = {}): Int32Array | number {
    const { epsilon = 0, training = true } = options;
    if (!(epsilon >= 0 && epsilon <= 1))
      throw new RangeError(`getAction epsilon: found ${epsilon}, allowed 0 to 1`);
    const isGreedy = !training || epsilon === 0;
    const action = isGreedy
      ? this.greedyAction(observation, options)
      : this.explore(observation, options, epsilon);
    return action as Int32Array | number;
  }

  /**
   * One learning step from a batch of transitions (`ReplayBuffer.sample` gives one), of any size.
   * @returns the loss: mean squared error of the values before the step.
   * @throws RangeError naming the field that does not fit.
   */
  learn(experiences: Experiences): number {
    return this.learnBatch(experiences).metrics.loss as number;
  }
}
