/**
 * Off-policy training (interface 4.5): agents act, store transitions in one replay buffer, and learn from it.
 */

import {
  MultiStepReplayBuffer,
  ReplayBuffer,
  type SupportedAgent,
  type SupportedOffPolicyAgent,
} from "../../agents/classes.ts";
import { explorationWarning } from "../../manifests/index.ts";
import { DELAY, FRACTION, instanceOf, type OptionRules } from "../../specs/checks.ts";
import { layoutOf } from "../options/environmentOption.ts";
import {
  type GivenMemory,
  gammaWarning,
  memoryPlan,
  nStepWarning,
  requireMemory,
} from "../options/memoryOption.ts";
import { followMemory, layOutGiven } from "../options/memoryState.ts";
import {
  type CheckedLoop,
  checkLoop,
  type LoopOptions,
  runLoop,
  type SingleEnvironment,
} from "./loopOptions.ts";

interface OffPolicyFields {
  /**
   * Replay buffer of the whole population, with a segment of single-step transitions for each agent. It keeps
   * the run's transitions afterwards. A MultiStepReplayBuffer returns transitions over its n_step, discounted
   * by each agent's own gamma. With a PrioritizedReplayBuffer (RainbowDQN), each agent has its own
   * priorities, which start as those of the buffer. Afterwards, the buffer has the priorities that each agent
   * gave its own transitions.
   */
  readonly memory: ReplayBuffer;
  /** Transitions that an agent must see before it learns (default: 0). */
  readonly learning_delay?: number;
  /** Initial probability of a random action (default: 1). */
  readonly eps_start?: number;
  readonly eps_end?: number;
  /** Factor on epsilon at every vector step (default: 0.999). */
  readonly eps_decay?: number;
  /**
   * Used with a PrioritizedReplayBuffer of the same max_size: transitions span its n_step. Has the same
   * transitions afterwards.
   */
  readonly n_step_memory?: MultiStepReplayBuffer | null;
}

/** Options of {@link trainOffPolicy}. */
export type OffPolicyOptions<Agent extends SupportedOffPolicyAgent = SupportedOffPolicyAgent> = LoopOptions<
  Agent,
  SingleEnvironment
> &
  OffPolicyFields;

const MEMORY = "a ReplayBuffer, PrioritizedReplayBuffer or MultiStepReplayBuffer";

const RULES: OptionRules = {
  memory: instanceOf(MEMORY, ReplayBuffer),
  learning_delay: DELAY,
  eps_start: FRACTION,
  eps_end: FRACTION,
  eps_decay: FRACTION,
  n_step_memory: instanceOf("a MultiStepReplayBuffer", MultiStepReplayBuffer),
};

/** A warning about the first agent whose exploration noise is probably unsuitable; null if there is none. */
function noiseWarning({ pop, env_name }: OffPolicyOptions, { vector }: CheckedLoop): string | null {
  const environment = vector.spec?.id ?? env_name;
  for (const [i, { hyperparameters }] of pop.entries()) {
    const found = explorationWarning(environment, hyperparameters);
    if (found !== null) return `pop[${i}].${found.field} ${found.message}`;
  }
  return null;
}

/**
 * A failed save is reported as a warning; without `verbose` and `observer`, warnings are logged to the
 * console.
 * @returns the trained population and each agent's fitness in its last evaluation; `pop` and its agents are
 *   not changed.
 * @throws TypeError or RangeError naming the option that is wrong; DivergedError when agents' numbers are no
 *   longer finite and the run cannot replace them; OutputLostError at the end, with the population, when the
 *   elite or checkpoints were requested and none could be written.
 *
 * @example
 * ```ts
 * const env = makeVector("CartPole-v1", 16);
 * const { single_observation_space: observation_space, single_action_space: action_space } = env;
 * const pop = createPopulation({ algorithm: "DQN", observation_space, action_space, population_size: 4 });
 * const memory = new ReplayBuffer({ max_size: 100_000 });
 * const [population, fitnesses] = await trainOffPolicy({ env, env_name: "CartPole-v1", algo: "DQN", pop, memory });
 * ```
 */
export async function trainOffPolicy<Agent extends SupportedOffPolicyAgent>(
  options: OffPolicyOptions<Agent>,
  ...positional: never[]
): Promise<readonly [Agent[], number[]]> {
  const loop = checkLoop(options, { name: "trainOffPolicy", positional, rules: RULES });
  const { memory, pop } = options;
  if (!memory) throw new TypeError(`trainOffPolicy: memory is missing; allowed ${MEMORY}`);
  const given: GivenMemory = { memory, n_step_memory: options.n_step_memory ?? null };
  requireMemory("trainOffPolicy", given, options.algo);
  const [eps_start, eps_end] = [options.eps_start ?? 1, options.eps_end ?? 0.01];
  if (eps_start < eps_end) {
    throw new RangeError(
      `trainOffPolicy: eps_end: found ${eps_end}, allowed at most eps_start (${eps_start})`,
    );
  }
  layOutGiven(given, {
    layout: layoutOf(loop.vector),
    population: pop.length,
    num_envs: loop.vector.num_envs,
  });
  const gamma = gammaWarning(
    given,
    pop.map(({ hyperparameters }) => hyperparameters.gamma),
  );
  const n_step = nStepWarning(
    given,
    pop.map(({ hyperparameters }) => hyperparameters.n_step),
  );
  const running = runLoop(options, {
    ...loop,
    epsilon: eps_start,
    off_policy: {
      learning_delay: options.learning_delay ?? 0,
      eps_end,
      eps_decay: options.eps_decay ?? 0.999,
      memory: memoryPlan(given),
    },
    memory,
    warnings: [gamma, n_step, noiseWarning(options, loop)].filter((warning) => warning !== null),
  });
  const { population, fitnesses } = await running.finally(() => followMemory(given));
  // A run returns agents of the class that it was given.
  return [population as SupportedAgent[] as Agent[], fitnesses];
}
