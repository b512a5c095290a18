/** Agents that play several at once and learn from transitions of a memory, whoever collected them. */
import type { Experiences } from "../buffers/experiences.ts";
import type { TeamExperiences } from "../buffers/teamExperiences.ts";
import type { OffPolicyAlgorithm } from "../contract/offPolicy.ts";
import type { AgentOptions } from "./agentOptions.ts";
import { MultiAgentAlgorithm } from "./MultiAgentAlgorithm.ts";
import type { SamplingOptions } from "./RolloutLearning.ts";
import type { Observation } from "./SingleAgentAlgorithm.ts";
import { TransitionLearning } from "./TransitionLearning.ts";

/** An agent of one algorithm, told from those of others by its name; `Result` is what its `learn` gives. */
export type OffPolicyTeamOf<Algo extends string, Result> = OffPolicyTeam<Result> & {
  readonly algo: Algo;
};

/**
 * Base of agents of off-policy algorithms for several agents.
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
   * One learning step of all networks from a batch of transitions, of any size: `ReplayBuffer.sample` gives one, or by
   * agent. Actions that are numbers lie on the policy's own scale.
   * @returns the algorithm's metrics: `actor_loss` and `critic_loss`, also of each network (`actor_loss/<key>`).
   * @throws TypeError or RangeError naming the field, the agent and the transition that do not fit.
   */
  learn(experiences: Experiences | TeamExperiences): Result {
    // What the definition's `result` gives is in the type of the class.
    return this.#learning.learn(experiences) as Result;
  }

  protected override act(
    rows: Observation,
    { training, ...options }: SamplingOptions & { readonly training: boolean },
  ): Float32Array | Int32Array {
    return training ? this.rows.explore(rows, options, 0) : this.rows.greedy(rows, options);
  }
}
