/** Agents that learn from transitions of a memory, whoever collected them. */
import { algorithmDefinition } from "../../specs/index.ts";
import type { Experiences } from "../buffers/experiences.ts";
import type { OffPolicyAlgorithm } from "../contract/offPolicy.ts";
import type { AgentOptions } from "./agentOptions.ts";
import { type ActingOptions, type Observation, SingleAgentAlgorithm } from "./SingleAgentAlgorithm.ts";
import { type BatchOptions, TransitionLearning } from "./TransitionLearning.ts";

export type { BatchOptions } from "./TransitionLearning.ts";

/** Options of algorithms that explore by random actions. */
export interface EpsilonActingOptions extends ActingOptions {
  /** Chance of a random legal action; 0 unless given. */
  readonly epsilon?: number;
}

/** What differs in the types of off-policy algorithms' agents. */
export interface OffPolicyFace {
  readonly algo: string;
  readonly acting: ActingOptions;
  /** One action, and what several observations give. */
  readonly action: number | Float32Array;
  readonly actions: number | Float32Array | Int32Array;
  /** What `learn` takes behind the batch, and gives. */
  readonly learning: readonly [options?: BatchOptions];
  readonly result: unknown;
}

/** An agent of one algorithm, told from those of others by its name. */
export type OffPolicyAgentOf<F extends OffPolicyFace> = OffPolicyAgent<F> & { readonly algo: F["algo"] };

/**
 * Base of agents of off-policy algorithms.
 *
 * @example
 * ```ts
 * const { observation_space, action_space } = make("CartPole-v1");
 * const [agent] = createPopulation({ algorithm: "DQN", observation_space, action_space, population_size: 1 });
 * console.log(agent instanceof OffPolicyAgent); // true
 * ```
 */
export abstract class OffPolicyAgent<F extends OffPolicyFace = OffPolicyFace> extends SingleAgentAlgorithm {
  readonly #learning: TransitionLearning;

  protected constructor(definition: OffPolicyAlgorithm, options: AgentOptions<object>) {
    super(definition.name, options);
    this.#learning = new TransitionLearning(this.session, definition);
  }

  /**
   * The policy's action as the environment takes it, among the legal ones. While training it explores: with `epsilon` by
   * a random legal choice, of algorithms that have it; else as the algorithm does, by noise of its actions or weights.
   * @throws RangeError for an `epsilon` that is no chance.
   */
  override getAction(
    observation: Observation,
    options?: F["acting"] & { readonly num_envs?: undefined },
  ): F["action"];
  override getAction(observation: Observation, options: F["acting"]): F["actions"];
  override getAction(observation: Observation, options: EpsilonActingOptions = {}): F["actions"] {
    const { epsilon = 0, training = true } = options;
    const { epsilon_greedy } = algorithmDefinition(this.algo);
    if (epsilon_greedy && !(epsilon >= 0 && epsilon <= 1))
      throw new RangeError(`getAction epsilon: found ${epsilon}, allowed 0 to 1`);
    const explores = training && (!epsilon_greedy || epsilon > 0);
    return this.actionOf(
      explores ? this.rows.explore(observation, options, epsilon) : this.rows.greedy(observation, options),
      options,
    );
  }

  /**
   * One learning step from a batch of transitions (`ReplayBuffer.sample` gives one), of any size; actions that are numbers
   * lie on the policy's own scale. Of an algorithm that samples by priority, `options` say what the batch is beside them.
   * @returns what the algorithm says of the step, by the networks before it: of DQN the loss, of RainbowDQN the loss and
   *   each transition's new priority, of DDPG and TD3 the losses of policy and critics.
   * @throws RangeError naming the field that does not fit.
   */
  learn(experiences: Experiences, ...[options]: F["learning"]): F["result"] {
    return this.#learning.learn(experiences, options);
  }
}
