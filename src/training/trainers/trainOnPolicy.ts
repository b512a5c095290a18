/**
 * On-policy training (interface 4.5): agents collect rollouts with their current policy and learn from them.
 */
import { OnPolicyAgent } from "../../agents/classes.ts";
import type { CollectRollouts } from "../../agents/members.ts";
import { FUNCTION, type OptionRules } from "../../specs/checks.ts";
import { checkLoop, type LoopOptions, runLoop, type SingleEnvironment } from "./loopOptions.ts";

interface OnPolicyFields {
  /** Replaces the default collector of rollouts, which then run in this thread. */
  readonly collect_rollouts_fn?: CollectRollouts | null;
}

/** Options of {@link trainOnPolicy}. */
export type OnPolicyOptions = LoopOptions<OnPolicyAgent, SingleEnvironment> & OnPolicyFields;

const RULES: OptionRules = { collect_rollouts_fn: FUNCTION };

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
 * const pop = createPopulation({ algorithm: "PPO", observation_space, action_space, population_size: 4 });
 * const [population, fitnesses] = await trainOnPolicy({ env, env_name: "CartPole-v1", algo: "PPO", pop });
 * ```
 */
export async function trainOnPolicy(
  options: OnPolicyOptions,
  ...positional: never[]
): Promise<readonly [OnPolicyAgent[], number[]]> {
  const loop = checkLoop(options, { name: "trainOnPolicy", positional, rules: RULES });
  const { collect_rollouts_fn } = options;
  const { population, fitnesses } = await runLoop(options, {
    ...loop,
    epsilon: 0,
    off_policy: null,
    memory: null,
    ...(collect_rollouts_fn ? { host: { collect_rollouts_fn } } : {}),
  });
  return [population.filter((agent) => agent instanceof OnPolicyAgent), fitnesses];
}
