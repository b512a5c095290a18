/** Off-policy training of agents that play several (interface 4.5): they act, store transitions in one memory, and learn from it. */
import type { SupportedAgent, SupportedOffPolicyTeam } from "../../rl/agents/index.ts";
import { MultiStepReplayBuffer, PrioritizedReplayBuffer, ReplayBuffer } from "../../rl/buffers/index.ts";
import type { OptionRules } from "../../specs/checkOptions.ts";
import { layoutOf } from "../options/environmentOption.ts";
import { memoryPlan } from "../options/memoryOption.ts";
import { layOutGiven } from "../options/memoryState.ts";
import { DELAY, FLAG } from "../options/optionChecks.ts";
import { checkLoop, type LoopOptions, runLoop, type TeamEnvironment } from "./loopOptions.ts";
import { TEAM_DEFAULTS, type TeamFitnesses, teamFitnesses } from "./teamFitnesses.ts";

interface MultiAgentOffPolicyFields<Sum extends boolean> {
  /** Serves the whole population, in a segment for each member, and holds what the run stored when it is over. */
  readonly memory: ReplayBuffer;
  /** Whether a member's fitness is the sum of its agents' scores, true unless given, or their mean. */
  readonly sum_scores?: Sum;
  /** Transitions a member must see before it learns; 0 unless given. */
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

/** Nothing explores by chance here. */
const NO_EPSILON = { eps_end: 0, eps_decay: 1 };

/**
 * `max_steps` (50,000 unless given) are those of each member, counted in environment steps, whatever number of agents act
 * in them. With `evo_steps` 25 and more environments than that, a generation is one step of all environments.
 * @returns the trained population and each member's fitness in its last evaluation: one number, or with `sum_scores: false`
 *   its agents' scores by id. `pop` and its agents stay as they are.
 * @throws TypeError or RangeError naming the option that is wrong; DivergedError when agents' numbers stop being finite and
 *   nothing can replace them; OutputLostError at the end, with the population, when the elite or checkpoints were asked
 *   for and none could be written.
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
  // A run gives back agents of the class it was given.
  const trained = population as SupportedAgent[] as Agent[];
  return [trained, teamFitnesses(trained, fitnesses, sum_scores)];
}
