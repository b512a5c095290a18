/** On-policy training of teams (interface 4.5): agents collect rollouts and learn from them. */
import { OnPolicyTeam } from "../../agents/classes.ts";
import { FLAG, type OptionRules } from "../../specs/checks.ts";
import { checkLoop, type LoopOptions, runLoop, type TeamEnvironment } from "./loopOptions.ts";
import { TEAM_DEFAULTS, type TeamFitnesses, teamFitnesses } from "./teamFitnesses.ts";

interface MultiAgentOnPolicyFields<Sum extends boolean> {
  /** Whether a member's fitness is the sum or the mean of its agents' scores (default: true, the sum). */
  readonly sum_scores?: Sum;
}

/** Options of {@link trainMultiAgentOnPolicy}. */
export type MultiAgentOnPolicyOptions<Sum extends boolean = boolean> = LoopOptions<
  OnPolicyTeam,
  TeamEnvironment
> &
  MultiAgentOnPolicyFields<Sum>;

const RULES: OptionRules = { sum_scores: FLAG };

/**
 * `max_steps` (default: 50,000) counts the environment steps of the whole population. A generation has at
 * least one rollout of each member, of `learn_step` steps, regardless of `evo_steps`.
 * @returns the trained population and each member's fitness in its last evaluation: one number, or with
 *   `sum_scores: false` its agents' scores by id. `pop` and its agents are not changed.
 * @throws TypeError or RangeError naming the option that is wrong; DivergedError when agents' numbers are no
 *   longer finite and the run cannot replace them; OutputLostError at the end, with the population, when the
 *   elite or checkpoints were requested and none could be written.
 *
 * @example
 * ```ts
 * const env = makeVector("simple_spread_v3", 16);
 * const { single_observation_space: observation_space, single_action_space: action_space } = env;
 * const pop = createPopulation({ algorithm: "IPPO", observation_space, action_space, population_size: 4 });
 * const [population, fitnesses] = await trainMultiAgentOnPolicy({
 *   env,
 *   env_name: "simple_spread_v3",
 *   algo: "IPPO",
 *   pop,
 *   max_steps: 1_000_000,
 * });
 * ```
 */
export async function trainMultiAgentOnPolicy<Sum extends boolean = true>(
  options: MultiAgentOnPolicyOptions<Sum>,
  ...positional: never[]
): Promise<readonly [OnPolicyTeam[], TeamFitnesses<Sum>]> {
  const loop = checkLoop(options, { name: "trainMultiAgentOnPolicy", positional, rules: RULES });
  const { sum_scores } = options;
  const { population, fitnesses } = await runLoop(options, {
    ...loop,
    epsilon: 0,
    off_policy: null,
    memory: null,
    defaults: TEAM_DEFAULTS,
    team: { sum_scores: sum_scores ?? true, max_steps_of: "population" },
  });
  const trained = population.filter((agent) => agent instanceof OnPolicyTeam);
  return [trained, teamFitnesses(trained, fitnesses, sum_scores)];
}
