/** Agents that evolution strategies train. */
import { RolloutLearning } from "./RolloutLearning.ts";
import { type ActingOptions, type Observations, SingleAgentAlgorithm } from "./SingleAgentAlgorithm.ts";

/** An agent of one algorithm; `algo` discriminates it from the others. */
export type EvolutionAgentOf<Algo extends string> = EvolutionAgent & { readonly algo: Algo };

/**
 * Base class of agents of evolution strategies. They act greedily. They learn only in a run, from the returns of perturbed
 * copies. A recurrent agent keeps the recurrent state of each environment between calls, until `resetHiddenState`.
 *
 * @example
 * ```ts
 * const { observation_space, action_space } = make("CartPole-v1");
 * const [agent] = createPopulation({ algorithm: "ES", observation_space, action_space, population_size: 1 });
 * console.log(agent instanceof EvolutionAgent); // true
 * ```
 */
export abstract class EvolutionAgent extends SingleAgentAlgorithm {
  readonly #acting = new RolloutLearning(this.session, this.rows);

  /** Resets the recurrent state of all environments, or of those whose episode ended (1 in `done` [num_envs]). */
  override resetHiddenState(done?: ArrayLike<number>): void {
    this.#acting.resetHiddenState(done);
  }

  /** The policy's best action, with `training` as well. */
  override getAction(
    observation: Observations,
    given: ActingOptions = {},
  ): number | Float32Array | Int32Array {
    const [values, options] = this.rows.flat(observation, given);
    return this.actionOf(this.#acting.greedy(values, options), options);
  }
}
