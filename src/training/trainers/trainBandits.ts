/**
 * Training of contextual bandits: agents choose among arms, one row of a table at a time, and learn from the
 * rewards.
 */
import {
  MultiStepReplayBuffer,
  PrioritizedReplayBuffer,
  ReplayBuffer,
  type SupportedAgent,
  type SupportedBandit,
} from "../../agents/classes.ts";
import { COUNT, type OptionRules } from "../../specs/checks.ts";
import { layoutOf } from "../options/environmentOption.ts";
import { layOutGiven } from "../options/memoryState.ts";
import { BANDIT, banditRhythm } from "../plan/buildRun.ts";
import { checkLoop, type LoopOptions, runLoop, type SingleEnvironment } from "./loopOptions.ts";

interface BanditFields {
  /** Replay buffer of the whole population, for choices and rewards. */
  readonly memory: ReplayBuffer;
  /** Choices of an agent per turn (default: 500). */
  readonly episode_steps?: number;
}

/**
 * Options of {@link trainBandits}. `max_steps` defaults to 20,000. `evo_steps`, the steps between evolutions
 * in whole turns, defaults to 2,500. `eval_steps`, the number of choices per evaluation, defaults to 100.
 */
export type BanditOptions<Agent extends SupportedBandit = SupportedBandit> = LoopOptions<
  Agent,
  SingleEnvironment
> &
  BanditFields;

const MEMORY = "a ReplayBuffer";

const RULES: OptionRules = {
  memory: {
    allowed: MEMORY,
    allows: (value) =>
      value instanceof ReplayBuffer &&
      !(value instanceof PrioritizedReplayBuffer) &&
      !(value instanceof MultiStepReplayBuffer),
  },
  episode_steps: COUNT,
};

/**
 * Trains in the calling thread, on wasm. Fitness is the mean reward of `eval_steps` greedy choices, which do
 * not change the agent's confidence.
 * @returns the trained population and each agent's fitness in its last evaluation; `pop` and its agents are
 *   not changed.
 * @throws TypeError or RangeError naming the option that is wrong; DivergedError and OutputLostError as in
 *   {@link trainOffPolicy}.
 *
 * @example
 * ```ts
 * const env = new BanditEnvironment([[0, 1], [1, 0], [0.9, 0.1]], ["cold", "warm", "warm"]);
 * const { observation_space, action_space } = env;
 * const pop = createPopulation({ algorithm: "NeuralUCB", observation_space, action_space, population_size: 4 });
 * const memory = new ReplayBuffer({ max_size: 10_000 });
 * const [population, fitnesses] = await trainBandits({ env, env_name: "weather", algo: "NeuralUCB", pop, memory });
 * ```
 */
export async function trainBandits<Agent extends SupportedBandit>(
  options: BanditOptions<Agent>,
  ...positional: never[]
): Promise<readonly [Agent[], number[]]> {
  const loop = checkLoop(options, { name: "trainBandits", positional, rules: RULES });
  const { memory, pop } = options;
  if (!memory) throw new TypeError(`trainBandits: memory is missing; allowed ${MEMORY}`);
  const { num_envs } = loop.vector;
  if (num_envs !== 1)
    throw new RangeError(
      `trainBandits: env: found ${num_envs} lanes, allowed 1: choices come one after another`,
    );
  layOutGiven(
    { memory, n_step_memory: null },
    { layout: layoutOf(loop.vector), population: pop.length, num_envs },
  );
  const { evo_steps = 2_500, episode_steps = 500, eval_steps } = options;
  const { population, fitnesses } = await runLoop(options, {
    ...loop,
    epsilon: 0,
    off_policy: BANDIT,
    memory,
    defaults: { max_steps: 20_000, evo_steps },
    bandit: banditRhythm({ evo_steps, episode_steps, eval_steps: eval_steps ?? null }),
  });
  // A run returns agents of the class that it was given.
  return [population as SupportedAgent[] as Agent[], fitnesses];
}
