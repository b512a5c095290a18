/** Teams that learn from transitions of a replay buffer, regardless of which policy collected them. */

import type { OffPolicyAlgorithm } from "../../rl/contract.ts";
import type { Experiences } from "../buffers/experiences.ts";
import type { TeamExperiences } from "../buffers/teamExperiences.ts";
import type { AgentOptions } from "./agentOptions.ts";
import { MultiAgentAlgorithm } from "./MultiAgentAlgorithm.ts";
import type { SamplingOptions } from "./RolloutLearning.ts";
import { TransitionLearning } from "./TransitionLearning.ts";

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
