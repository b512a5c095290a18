/** Agents and teams that learn from transitions of a replay buffer, regardless of which policy collected them. */
import { algorithmDefinition } from "../../manifests/index.ts";
import type { OffPolicyAlgorithm } from "../../rl/contract.ts";
import type { Experiences } from "../buffers/experiences.ts";
import type { TeamExperiences } from "../buffers/teamExperiences.ts";
import type { AgentOptions } from "./agentOptions.ts";
import { MultiAgentAlgorithm } from "./MultiAgentAlgorithm.ts";
import type { SamplingOptions } from "./RolloutLearning.ts";
import {
  type ActingOptions,
  type Observation,
  type ObservationList,
  type Observations,
  SingleAgentAlgorithm,
} from "./SingleAgentAlgorithm.ts";
import { type BatchOptions, type PlayedStep, TransitionLearning } from "./TransitionLearning.ts";

export type { BatchOptions } from "./TransitionLearning.ts";

/** Options of algorithms that explore by random actions. */
export interface EpsilonActingOptions extends ActingOptions {
  /** Probability of a random legal action (default: 0). */
  readonly epsilon?: number;
}

/** The types that differ between the agents of off-policy algorithms. */
export interface OffPolicyFace {
  readonly algo: string;
  readonly acting: ActingOptions;
  /** Result of `getAction` for one observation (`action`) and in general (`actions`). */
  readonly action: number | Float32Array;
  readonly actions: number | Float32Array | Int32Array;
  /** Arguments of `learn` after the batch, and its result. */
  readonly learning: readonly [options?: BatchOptions];
  readonly result: unknown;
}

/** An agent of one algorithm; `algo` discriminates it from the others. */
export type OffPolicyAgentOf<F extends OffPolicyFace> = OffPolicyAgent<F> & { readonly algo: F["algo"] };

/**
 * Base class of agents of off-policy algorithms.
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
   * The policy's action as the environment takes it, among the legal ones. While training it explores:
   * epsilon-greedy algorithms choose a random legal action with probability `epsilon`; others explore in
   * their own way, such as by noise on actions or weights. The type of the result assumes one observation
   * unless `num_envs` or a list is given; several observations give an array in any case.
   * @throws RangeError for an `epsilon` outside 0 to 1.
   */
  override getAction(
    observations: Observations,
    options: F["acting"] & { readonly num_envs: number },
  ): Exclude<F["actions"], number>;
  override getAction(observations: ObservationList, options?: F["acting"]): F["actions"];
  override getAction(
    observation: Observation,
    options?: F["acting"] & { readonly num_envs?: undefined },
  ): F["action"];
  override getAction(observation: Observations, options: F["acting"]): F["actions"];
  override getAction(observation: Observations, given: EpsilonActingOptions = {}): F["actions"] {
    const [values, options] = this.rows.flat(observation, given);
    const { epsilon = 0, training = true } = options;
    const { epsilon_greedy } = algorithmDefinition(this.algo);
    if (epsilon_greedy && !(epsilon >= 0 && epsilon <= 1))
      throw new RangeError(`getAction epsilon: found ${epsilon}, allowed 0 to 1`);
    const explores = training && (!epsilon_greedy || epsilon > 0);
    return this.actionOf(
      explores ? this.rows.explore(values, options, epsilon) : this.rows.greedy(values, options),
      options,
    );
  }

  /**
   * Updates the running statistics of an agent that normalises, by a vector step that it played. Call it after each step
   * of your own loop; training functions do so themselves. The discounted returns of all lanes start at 0 again when
   * the number of lanes changes, or the size of batches.
   * @throws TypeError or RangeError naming the field that does not fit.
   */
  learnStatistics(step: PlayedStep): void {
    this.#learning.learnStatistics(step);
  }

  /**
   * One learning step from a batch of transitions of any size, such as `ReplayBuffer.sample` returns.
   * Continuous actions must be on the policy's own scale. For prioritised algorithms, `options` has the
   * importance weights and `n_step` of the batch.
   * @returns the algorithm's results, computed with the networks before the step: the loss (DQN), the loss
   *   and each transition's new priority (RainbowDQN), or the losses of policy and critics (DDPG, TD3).
   * @throws RangeError naming the field that does not fit.
   */
  learn(experiences: Experiences, ...[options]: F["learning"]): F["result"] {
    return this.#learning.learn(experiences, options);
  }
}

/**
 * A team of one algorithm; `algo` discriminates it from the others. `Result` is the result of its `learn`.
 */
export type OffPolicyTeamOf<Algo extends string, Result> = OffPolicyTeam<Result> & {
  readonly algo: Algo;
};

/**
 * Base class of agents of off-policy algorithms for several agents.
 *
 * @example
 * ```ts
 * const env = make("simple_spread_v3");
 * const { observation_spaces: observation_space, action_spaces: action_space } = env;
 * const [agent] = createPopulation({ algorithm: "MATD3", observation_space, action_space, population_size: 1 });
 * console.log(agent instanceof OffPolicyTeam); // true
 * ```
 */
export abstract class OffPolicyTeam<Result = unknown> extends MultiAgentAlgorithm {
  readonly #learning: TransitionLearning;

  protected constructor(definition: OffPolicyAlgorithm, options: AgentOptions<object>) {
    super(definition.name, options);
    this.#learning = new TransitionLearning(this.session, definition);
  }

  /**
   * Updates the running statistics of an agent that normalises, by a vector step that it played. Call it after each step
   * of your own loop; training functions do so themselves. The discounted returns of all lanes start at 0 again when
   * the number of lanes changes, or the size of batches.
   * @throws TypeError or RangeError naming the field that does not fit.
   */
  learnStatistics(step: PlayedStep): void {
    this.#learning.learnStatistics(step);
  }

  /**
   * One learning step of all networks from a batch of transitions of any size, by agent or as
   * `ReplayBuffer.sample` returns it. Continuous actions must be on the policy's own scale.
   * @returns the algorithm's metrics: `actor_loss` and `critic_loss`, also per network (`actor_loss/<key>`).
   * @throws TypeError or RangeError naming the field, the agent and the transition that are invalid.
   */
  learn(experiences: Experiences | TeamExperiences): Result {
    // `Result` is the return type of the definition's `result`.
    return this.#learning.learn(experiences) as Result;
  }

  protected override act(
    rows: ArrayLike<number>,
    { training, ...options }: SamplingOptions & { readonly training: boolean },
  ): Float32Array | Int32Array {
    return training ? this.rows.explore(rows, options, 0) : this.rows.greedy(rows, options);
  }
}
