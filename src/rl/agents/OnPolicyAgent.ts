/** Agents that learn from roll-outs of their present policy. */
import type { Rollout, RolloutBuffer } from "../buffers/RolloutBuffer.ts";
import type { HiddenState } from "../member/hiddenState.ts";
import { RolloutLearning, type SampledActions } from "./RolloutLearning.ts";
import { type ActingOptions, type Observation, SingleAgentAlgorithm } from "./SingleAgentAlgorithm.ts";

export type { SampledActions } from "./RolloutLearning.ts";

/** An agent of one algorithm, told from those of others by its name. */
export type OnPolicyAgentOf<Algo extends string> = OnPolicyAgent & { readonly algo: Algo };

/**
 * Base of agents of on-policy algorithms. A recurrent one (`recurrent: true`) remembers each environment from one call to
 * the next, until `resetHiddenState`.
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

  /** Holds ceil(learn_step / num_envs) vector steps, two where that would be one step in all; made when first asked for, replaced by setting it. */
  get rollout_buffer(): RolloutBuffer {
    return this.#rollouts.buffer;
  }

  set rollout_buffer(buffer: RolloutBuffer) {
    this.#rollouts.buffer = buffer;
  }

  /** A buffer for `num_envs` environments side by side, as `learn_step` says. */
  makeBuffer(num_envs: number): RolloutBuffer {
    return this.#rollouts.makeBuffer(num_envs);
  }

  /**
   * What it remembers of `num_envs` environments, each of which is what it acted on last in that place; of new
   * episodes where it has not acted on so many. Empty without memory.
   */
  hiddenState(num_envs = 1): HiddenState {
    return this.#rollouts.hiddenState(num_envs);
  }

  /** Forgets all environments, or those whose episode ended (1 in `done` [num_envs]). */
  override resetHiddenState(done?: ArrayLike<number>): void {
    this.#rollouts.resetHiddenState(done);
  }

  /** A draw from the policy; with `training: false` its mode. */
  override getAction(
    observation: Observation,
    options: ActingOptions = {},
  ): number | Float32Array | Int32Array {
    const { training = true } = options;
    const actions = training
      ? this.#rollouts.sample(observation, options).applied
      : this.#rollouts.greedy(observation, options);
    return this.actionOf(actions, options);
  }

  /** Draws from the policy for one observation or, with `num_envs`, for several, as arrays either way. */
  sampleAction(observation: Observation, options: Omit<ActingOptions, "training"> = {}): SampledActions {
    return this.#rollouts.sample(observation, options);
  }

  /**
   * One learning phase over a roll-out of [steps, num_envs]: `update_epochs` passes of minibatches. Advantages are scaled
   * to mean 0 and deviation 1 over the whole roll-out, never over a minibatch, which may have one step; a roll-out needs
   * two.
   * @returns the algorithm's metrics (of PPO loss, policy_loss, value_loss and entropy_loss), averaged over the learning steps.
   * @throws TypeError or RangeError naming the field that does not fit, with its step and lane.
   */
  learn(experiences: RolloutBuffer | Rollout): Record<string, number> {
    return this.#rollouts.learn(experiences);
  }
}
