/** Training of language models on their own completions (interface 4.6). */

import { IO_TIMEOUT_S, RolloutHarness } from "../../llm/environments.ts";
import { LLMRolloutAlgorithm, RolloutRunner } from "../../llm/members.ts";
import { COUNT, checkOptions, FUNCTION, type OptionRules, SCORE, SECONDS } from "../../specs/checks.ts";
import { LLM_LOOP_OPTIONS, type LlmLoopOptions, requireAgents, runLlmLoop } from "./llmLoop.ts";

interface RolloutFields {
  /** Maximum turns per episode; 1 is single-turn reasoning. A smaller limit of the harness overrides it. */
  readonly max_turns: number;
  /** Returns a new environment; called once for each parallel trajectory, and once for evaluations. */
  readonly env_factory: () => RolloutHarness;
  /**
   * Turns over the whole population: the run ends at the first iteration that reaches this number (default:
   * 32,768).
   */
  readonly max_steps?: number;
  /** Episodes per evaluation (default: 1). */
  readonly eval_loop?: number;
  /** Return from which an episode counts as correct; adds the metric `accuracy`. */
  readonly max_reward?: number | null;
  /** Time limit of training, checked once per outer iteration (default: `null`, no limit). */
  readonly max_wall_seconds?: number | null;
  /** Time limit in seconds for each concurrent round of resets or steps (default: 600; `null`: no limit). */
  readonly io_timeout_s?: number | null;
}

/** Options of {@link trainLlmRollout}. */
export type LlmRolloutOptions<Agent extends LLMRolloutAlgorithm = LLMRolloutAlgorithm> =
  LlmLoopOptions<Agent> & RolloutFields;

const RULES: OptionRules = {
  ...LLM_LOOP_OPTIONS,
  max_turns: COUNT,
  env_factory: FUNCTION,
  max_steps: COUNT,
  eval_loop: COUNT,
  max_reward: SCORE,
  max_wall_seconds: SECONDS,
  io_timeout_s: SECONDS,
};

const MAX_STEPS = 32_768;
const EVALUATION_INTERVAL = 50;

/** @throws TypeError unless the factory returns a RolloutHarness. */
function harnessFrom(factory: () => unknown): RolloutHarness {
  const harness = factory();
  if (harness instanceof RolloutHarness) return harness;
  const found = harness instanceof Promise ? "a promise" : typeof harness;
  throw new TypeError(`env_factory: gave ${found}, allowed a RolloutHarness; make it before and return it`);
}

/**
 * Trains agents on episodes that they play: in each outer iteration, every agent plays and learns, and at
 * intervals it is evaluated. A failed save is reported as a warning.
 * @returns the trained agents and the last recorded fitness of each, NaN for an agent that was never
 *   evaluated; `pop` is not changed.
 * @throws TypeError or RangeError naming the option that is wrong; TimeoutError for an environment that does
 *   not answer; DivergedError when an agent's numbers are no longer finite and the run cannot replace it;
 *   Error after 8 iterations without a turn.
 *
 * @example
 * ```ts
 * const actor_network = await LanguageModel.load("rlkit/tiny-digits");
 * const { tokenizer } = actor_network;
 * const [population, fitnesses] = await trainLlmRollout({
 *   pop: [new GRPO({ actor_network, lr: 1e-3, beta: 0, max_output_tokens: 1 })],
 *   max_turns: 1,
 *   env_factory: () => RolloutHarness.local("rlkit/ConstantTarget", { tokenizer }),
 *   max_steps: 4096,
 * });
 * ```
 */
export async function trainLlmRollout<Agent extends LLMRolloutAlgorithm>(
  options: LlmRolloutOptions<Agent>,
  ...positional: never[]
): Promise<readonly [Agent[], number[]]> {
  const name = "trainLlmRollout";
  checkOptions(name, options, RULES, { example: "{ pop, max_turns: 1, env_factory }", positional });
  for (const required of ["pop", "max_turns", "env_factory"] as const)
    if ((options[required] ?? null) === null)
      throw new TypeError(`${name}: ${required} is missing; allowed ${RULES[required]?.allowed}`);
  const { pop, max_turns, env_factory, max_reward = null, max_wall_seconds = null } = options;
  requireAgents(name, pop, LLMRolloutAlgorithm, "rollout");
  const [first] = pop as readonly [Agent, ...Agent[]];
  const runner = new RolloutRunner({
    agent: first.onDevice,
    makeHarness: () => harnessFrom(env_factory),
    max_turns,
    eval_loop: options.eval_loop ?? 1,
    max_reward,
    io_timeout_s: options.io_timeout_s === undefined ? IO_TIMEOUT_S : options.io_timeout_s,
  });
  return runLlmLoop({
    name,
    runner,
    options,
    max_steps: options.max_steps ?? MAX_STEPS,
    evaluation_interval: options.evaluation_interval ?? EVALUATION_INTERVAL,
    max_wall_seconds,
    environment: "rollout",
    metrics: max_reward === null ? [] : ["accuracy"],
    warnings: [],
  });
}
