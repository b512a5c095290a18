/** Training of language models on labelled rows (interface 4.7). */

import { DatasetEnv } from "../../llm/environments.ts";
import { DatasetRunner, LLMDatasetAlgorithm } from "../../llm/members.ts";
import { COUNT, checkOptions, FUNCTION, instanceOf, type OptionRules } from "../../specs/checks.ts";
import { LLM_LOOP_OPTIONS, type LlmLoopOptions, requireAgents, runLlmLoop } from "./llmLoop.ts";

interface DatasetFields {
  /**
   * The rows, shared by all agents: each takes the batches in order from its own place. Exclusive with
   * `env_fn`.
   */
  readonly env?: DatasetEnv | null;
  /** Called once for the rows that all agents share. Exclusive with `env`. */
  readonly env_fn?: (() => DatasetEnv) | null;
  /**
   * Rows over the whole population: the run ends at the first iteration that reaches this number (default:
   * one epoch).
   */
  readonly max_steps?: number | null;
  /** Passes over the rows; overrides `max_steps`. */
  readonly num_epochs?: number | null;
}

/** Options of {@link trainLlmDataset}. */
export type LlmDatasetOptions<Agent extends LLMDatasetAlgorithm = LLMDatasetAlgorithm> = Omit<
  LlmLoopOptions<Agent>,
  "completion_logging"
> &
  DatasetFields;

const { completion_logging: _, ...LOOP } = LLM_LOOP_OPTIONS;

const RULES: OptionRules = {
  ...LOOP,
  env: instanceOf("a DatasetEnv", DatasetEnv),
  env_fn: FUNCTION,
  max_steps: COUNT,
  num_epochs: COUNT,
};

const EVALUATION_INTERVAL = 10;

/**
 * @throws TypeError unless exactly one of the two is given, and for a function that does not return a
 *   DatasetEnv.
 */
function environmentFrom({ env = null, env_fn = null }: DatasetFields): DatasetEnv {
  if ((env === null) === (env_fn === null))
    throw new TypeError(
      `trainLlmDataset: found ${env === null ? "neither env nor env_fn" : "both env and env_fn"}, allowed exactly one of them`,
    );
  const made: unknown = env ?? env_fn?.();
  if (made instanceof DatasetEnv) return made;
  throw new TypeError(
    `env_fn: gave ${made instanceof Promise ? "a promise" : typeof made}, allowed a DatasetEnv`,
  );
}

/**
 * Trains agents on labelled rows: pairs for DPO, responses for SFT. In each outer iteration, every agent
 * learns from a batch; at intervals, it is evaluated on the held-out rows.
 * @returns the trained agents and the last recorded fitness of each, NaN for an agent that was never
 *   evaluated; `pop` is not changed.
 * @throws TypeError or RangeError naming the option that is wrong; DivergedError when an agent's numbers are
 *   no longer finite and the run cannot replace it.
 *
 * @example
 * ```ts
 * const actor_network = await LanguageModel.load("rlkit/tiny-letters");
 * const { tokenizer } = actor_network;
 * const train = [{ prompt: "ab>", response: "ba" }];
 * const [population] = await trainLlmDataset({
 *   pop: [new SFT({ actor_network, lr: 2e-3 })],
 *   env: new DatasetEnv({ train, tokenizer, objective: "sft" }),
 *   num_epochs: 10,
 * });
 * ```
 */
export async function trainLlmDataset<Agent extends LLMDatasetAlgorithm>(
  options: LlmDatasetOptions<Agent>,
  ...positional: never[]
): Promise<readonly [Agent[], number[]]> {
  const name = "trainLlmDataset";
  checkOptions(name, options, RULES, { example: "{ pop, env }", positional });
  if ((options.pop ?? null) === null)
    throw new TypeError(`${name}: pop is missing; allowed ${RULES.pop?.allowed}`);
  const { pop, max_steps = null, num_epochs = null } = options;
  requireAgents(name, pop, LLMDatasetAlgorithm, "dataset");
  const [first] = pop as readonly [Agent, ...Agent[]];
  const env = environmentFrom(options);
  const warnings: string[] = [];
  if (num_epochs !== null && max_steps !== null)
    warnings.push("num_epochs and max_steps are both given: num_epochs is used");
  return runLlmLoop<Agent>({
    name,
    runner: new DatasetRunner({ agent: first.onDevice, env, eval_loop: 1, shown: 0 }),
    options: options as LlmLoopOptions<Agent>,
    max_steps: num_epochs !== null ? num_epochs * env.length : (max_steps ?? env.length),
    evaluation_interval: options.evaluation_interval ?? EVALUATION_INTERVAL,
    max_wall_seconds: null,
    environment: "dataset",
    metrics: [],
    warnings,
  });
}
