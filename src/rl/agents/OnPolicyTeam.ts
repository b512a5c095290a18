/** Agents that play several at once and learn from roll-outs of their present policy. */
import type { Rollout, RolloutBuffer } from "../buffers/RolloutBuffer.ts";
import type { HiddenState } from "../member/hiddenState.ts";
import type { RowOptions } from "./ActingRows.ts";
import { MultiAgentAlgorithm } from "./MultiAgentAlgorithm.ts";
import { RolloutLearning, type SampledActions, type SamplingOptions } from "./RolloutLearning.ts";
import type { Observation } from "./SingleAgentAlgorithm.ts";

/** An agent of one algorithm, told from those of others by its name. */
export type OnPolicyTeamOf<Algo extends string> = OnPolicyTeam & { readonly algo: Algo };

/**
 * Base of agents of on-policy algorithms for several agents.
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

  /** Holds ceil(learn_step / num_envs) vector steps; made when first asked for, replaced by setting it. */
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

  /** What its networks remember of `num_envs` environments; empty without memory. */
  hiddenState(num_envs = 1): HiddenState {
    return this.#rollouts.hiddenState(num_envs);
  }

  /** Forgets all environments, or those whose episode ended (1 in `done` [num_envs]). */
  override resetHiddenState(done?: ArrayLike<number>): void {
    this.#rollouts.resetHiddenState(done);
  }

  /** Draws from the policies for joint rows of observations, `num_envs` of them; masks of all agents one after another. */
  sampleAction(rows: ArrayLike<number>, options: RowOptions = {}): SampledActions {
    return this.#rollouts.sample(rows, options);
  }

  /**
   * One learning phase over a roll-out of [steps, num_envs]: `update_epochs` passes of minibatches of joint steps.
   * Advantages are scaled to mean 0 and deviation 1 for each network over the whole roll-out.
   * @returns the algorithm's metrics, averaged over the learning steps.
   * @throws TypeError or RangeError naming the field that does not fit, with its step, lane and agent.
   */
  learn(experiences: RolloutBuffer | Rollout): Record<string, number> {
    return this.#rollouts.learn(experiences);
  }

  protected override act(
    rows: Observation,
    { training, ...options }: SamplingOptions & { readonly training: boolean },
  ): Float32Array | Int32Array {
    return training ? this.#rollouts.sample(rows, options).applied : this.#rollouts.greedy(rows, options);
  }
}
