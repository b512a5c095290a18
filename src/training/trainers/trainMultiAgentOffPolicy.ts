/**
 * Off-policy training of teams (interface 4.5): agents act, store transitions in one replay buffer, and learn
 * from it.
 */
import {
  MultiStepReplayBuffer,
  PrioritizedReplayBuffer,
  ReplayBuffer,
  type SupportedAgent,
  type SupportedOffPolicyTeam,
} from "../../agents/classes.ts";
import { DELAY, FLAG, type OptionRules } from "../../specs/checks.ts";
import { layoutOf } from "../options/environmentOption.ts";
import { memoryPlan } from "../options/memoryOption.ts";
import { layOutGiven } from "../options/memoryState.ts";
import { checkLoop, type LoopOptions, runLoop, type TeamEnvironment } from "./loopOptions.ts";
import { TEAM_DEFAULTS, type TeamFitnesses, teamFitnesses } from "./teamFitnesses.ts";

interface MultiAgentOffPolicyFields<Sum extends boolean> {
  /**
   * Replay buffer of the whole population, with a segment for each member. It keeps the run's transitions
   * afterwards.
   */
  readonly memory: ReplayBuffer;
  /** Whether a member's fitness is the sum or the mean of its agents' scores (default: true, the sum). */
  readonly sum_scores?: Sum;
  /** Transitions that a member must see before it learns (default: 0). */
  readonly learning_delay?: number;
}

/** Options of {@link trainMultiAgentOffPolicy}. */
export type MultiAgentOffPolicyOptions<
  Agent extends SupportedOffPolicyTeam = SupportedOffPolicyTeam,
  Sum extends boolean = boolean,
> = LoopOptions<Agent, TeamEnvironment> & MultiAgentOffPolicyFields<Sum>;

const MEMORY = "a ReplayBuffer (agents that play several sample uniformly, single steps)";

const RULES: OptionRules = {
  memory: {
    allowed: MEMORY,
    allows: (value) =>
      value instanceof ReplayBuffer &&
      !(value instanceof PrioritizedReplayBuffer || value instanceof MultiStepReplayBuffer),
  },
  sum_scores: FLAG,
  learning_delay: DELAY,
};

/** These algorithms do not use epsilon. */
const NO_EPSILON = { eps_end: 0, eps_decay: 1 };

/**
 * `max_steps` (default: 50,000) counts the environment steps of each member, regardless of the number of
 * agents that act. With the default `evo_steps` of 25 and more environments than that, a generation is one
 * step of all environments.
 * @returns the trained population and each member's fitness in its last evaluation: one number, or with
 *   `sum_scores: false` its agents' scores by id. `pop` and its agents are not changed.
 * @throws TypeError or RangeError naming the option that is wrong; DivergedError when agents' numbers are no
 *   longer finite and the run cannot replace them; OutputLostError at the end, with the population, when the
 *   elite or checkpoints were requested and none could be written.
 *
 * @example
 * ```ts
 * const env = makeVector("simple_speaker_listener_v4", 16);
 * const { single_observation_space: observation_space, single_action_space: action_space } = env;
 * const pop = createPopulation({ algorithm: "MADDPG", observation_space, action_space, population_size: 4 });
 * const [population, fitnesses] = await trainMultiAgentOffPolicy({
 *   env,
 *   env_name: "simple_speaker_listener_v4",
 *   algo: "MADDPG",
 *   pop,
 *   memory: new ReplayBuffer({ max_size: 100_000 }),
 *   evo_steps: 10_000,
 *   sum_scores: false,
 * });
 * console.log(fitnesses[0]?.speaker_0);
 * ```
 */
export async function trainMultiAgentOffPolicy<
  Agent extends SupportedOffPolicyTeam,
  Sum extends boolean = true,
>(
  options: MultiAgentOffPolicyOptions<Agent, Sum>,
  ...positional: never[]
): Promise<readonly [Agent[], TeamFitnesses<Sum>]> {
  const loop = checkLoop(options, { name: "trainMultiAgentOffPolicy", positional, rules: RULES });
  const { memory, pop, sum_scores } = options;
  if (!memory) throw new TypeError(`trainMultiAgentOffPolicy: memory is missing; allowed ${MEMORY}`);
  const given = { memory, n_step_memory: null };
  layOutGiven(given, {
    layout: layoutOf(loop.vector),
    population: pop.length,
    num_envs: loop.vector.num_envs,
  });
  const { population, fitnesses } = await runLoop(options, {
    ...loop,
    epsilon: 0,
    off_policy: {
      learning_delay: options.learning_delay ?? 0,
      ...NO_EPSILON,
      memory: memoryPlan(given),
    },
    memory,
    defaults: TEAM_DEFAULTS,
    team: { sum_scores: sum_scores ?? true },
  });
  // A run returns agents of the class that it was given.
  const trained = population as SupportedAgent[] as Agent[];
  return [trained, teamFitnesses(trained, fitnesses, sum_scores)];
}
