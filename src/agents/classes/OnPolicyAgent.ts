/** Agents and teams that learn from rollouts of their current policy. */
import type { Rollout, RolloutBuffer } from "../buffers/RolloutBuffer.ts";
import type { HiddenState } from "../member/agentState.ts";
import type { RowOptions } from "./ActingRows.ts";
import { MultiAgentAlgorithm } from "./MultiAgentAlgorithm.ts";
import { RolloutLearning, type SampledActions, type SamplingOptions } from "./RolloutLearning.ts";
import { type ActingOptions, type Observations, SingleAgentAlgorithm } from "./SingleAgentAlgorithm.ts";

export type { SampledActions } from "./RolloutLearning.ts";

/** An agent of one algorithm; `algo` discriminates it from the others. */
export type OnPolicyAgentOf<Algo extends string> = OnPolicyAgent & { readonly algo: Algo };

/**
 * Base class of agents of on-policy algorithms. A recurrent agent (`recurrent: true`) keeps the recurrent
 * state of each environment between calls, until `resetHiddenState`.
 *
 * @example
 * ```ts
 * const { observation_space, action_space } = make("CartPole-v1");
 * const [agent] = createPopulation({ algorithm: "PPO", observation_space, action_space, population_size: 1 });
 * console.log(agent instanceof OnPolicyAgent); // true
 * ```
 */
export abstract class OnPolicyAgent extends SingleAgentAlgorithm {
  readonly #rollouts = new RolloutLearning(this.session, this.rows);

  /**
   * Has room for ceil(learn_step / num_envs) vector steps, or two if that would be a single step in all.
   * Created on first access; set it to replace it.
   */
  get rollout_buffer(): RolloutBuffer {
    return this.#rollouts.buffer;
  }

  set rollout_buffer(buffer: RolloutBuffer) {
    this.#rollouts.buffer = buffer;
  }

  /** A buffer for `num_envs` parallel environments, sized by `learn_step`. */
  makeBuffer(num_envs: number): RolloutBuffer {
    return this.#rollouts.makeBuffer(num_envs);
  }

  /**
   * The recurrent state for `num_envs` environments: that of the last call with the same number of
   * environments, in the same order. Otherwise zeros, as for new episodes. Empty if no network is recurrent.
   */
  hiddenState(num_envs = 1): HiddenState {
    return this.#rollouts.hiddenState(num_envs);
  }

  /**
   * Resets the recurrent state of all environments, or of those whose episode ended (1 in `done` [num_envs]).
   */
  override resetHiddenState(done?: ArrayLike<number>): void {
    this.#rollouts.resetHiddenState(done);
  }

  /**
   * Sets the recurrent state of the environments; null for zeros.
   * @internal
   */
  recall(hidden: HiddenState | null): void {
    this.#rollouts.recall(hidden);
  }

  /** Samples from the policy; with `training: false`, returns its mode. */
  override getAction(
    observation: Observations,
    given: ActingOptions = {},
  ): number | Float32Array | Int32Array {
    const [values, options] = this.rows.flat(observation, given);
    const { training = true } = options;
    const actions = training
      ? this.#rollouts.sample(values, options).applied
      : this.#rollouts.greedy(values, options);
    return this.actionOf(actions, options);
  }

  /**
   * Samples from the policy for one observation or several. Returns arrays in both cases.
   */
  sampleAction(observation: Observations, options: Omit<ActingOptions, "training"> = {}): SampledActions {
    return this.#rollouts.sample(...this.rows.flat(observation, options));
  }

  /**
   * One learning phase over a rollout of [steps, num_envs]: `update_epochs` passes of minibatches.
   * Advantages are scaled to mean 0 and standard deviation 1 over the whole rollout, which needs at least
   * two steps, and not over a minibatch, which may have one.
   * @returns the algorithm's metrics (for PPO: loss, policy_loss, value_loss and entropy_loss), averaged over
   *   the learning steps.
   * @throws TypeError or RangeError naming the invalid field, with its step and lane.
   */
  learn(experiences: RolloutBuffer | Rollout): Record<string, number> {
    return this.#rollouts.learn(experiences);
  }
}

/** A team of one algorithm; `algo` discriminates it from the others. */
export type OnPolicyTeamOf<Algo extends string> = OnPolicyTeam & { readonly algo: Algo };

/**
 * Base class of agents of on-policy algorithms for several agents.
 *
 * @example
 * ```ts
 * const env = make("simple_spread_v3");
 * const { observation_spaces: observation_space, action_spaces: action_space } = env;
 * const [agent] = createPopulation({ algorithm: "IPPO", observation_space, action_space, population_size: 1 });
 * console.log(agent instanceof OnPolicyTeam); // true
 * ```
 */
export abstract class OnPolicyTeam extends MultiAgentAlgorithm {
  readonly #rollouts = new RolloutLearning(this.session, this.rows);

  /**
   * Has room for ceil(learn_step / num_envs) vector steps, or two if that would be a single step in all.
   * Created on first access; set it to replace it.
   */
  get rollout_buffer(): RolloutBuffer {
    return this.#rollouts.buffer;
  }

  set rollout_buffer(buffer: RolloutBuffer) {
    this.#rollouts.buffer = buffer;
  }

  /** A buffer for `num_envs` parallel environments, sized by `learn_step`. */
  makeBuffer(num_envs: number): RolloutBuffer {
    return this.#rollouts.makeBuffer(num_envs);
  }

  /** The recurrent state for `num_envs` environments; empty if no network is recurrent. */
  hiddenState(num_envs = 1): HiddenState {
    return this.#rollouts.hiddenState(num_envs);
  }

  /**
   * Resets the recurrent state of all environments, or of those whose episode ended (1 in `done` [num_envs]).
   */
  override resetHiddenState(done?: ArrayLike<number>): void {
    this.#rollouts.resetHiddenState(done);
  }

  /**
   * Sets the recurrent state of the environments; null for zeros.
   * @internal
   */
  recall(hidden: HiddenState | null): void {
    this.#rollouts.recall(hidden);
  }

  /**
   * Samples from the policies for `num_envs` joint rows of observations. A mask has those of all agents in
   * order.
   */
  sampleAction(rows: ArrayLike<number>, options: RowOptions = {}): SampledActions {
    return this.#rollouts.sample(...this.rows.flat(rows, options));
  }

  /**
   * One learning phase over a rollout of [steps, num_envs]: `update_epochs` passes of minibatches of joint
   * steps. Advantages are scaled to mean 0 and standard deviation 1 over the whole rollout, separately for
   * each network.
   * @returns the algorithm's metrics, averaged over the learning steps.
   * @throws TypeError or RangeError naming the invalid field, with its step, lane and agent.
   */
  learn(experiences: RolloutBuffer | Rollout): Record<string, number> {
    return this.#rollouts.learn(experiences);
  }

  protected override act(
    rows: ArrayLike<number>,
    { training, ...options }: SamplingOptions & { readonly training: boolean },
  ): Float32Array | Int32Array {
    return training ? this.#rollouts.sample(rows, options).applied : this.#rollouts.greedy(rows, options);
  }
}
