/** Validates the options of a {@link RolloutHarness} and resolves its environment. */
import { ANY_TEXT, COUNT, checkOptions, FLAG, type OptionRule, SECONDS } from "../../specs/checks.ts";
import { isMapping, show } from "../../specs/messages.ts";
import { type RewardWeights, WEIGHTS } from "../data/rows.ts";
import { isPythonAddress, moduleAddress } from "../modules/moduleProtocol.ts";
import type { Tokenizer } from "../tokenizers/Tokenizer.ts";
import { listLlmEnvironments, makeLlmEnvironment } from "./builtin.ts";
import type { Awaitable, LlmEnvironment } from "./LlmEnvironment.ts";

export interface RolloutHarnessOptions {
  /** An environment, a function that makes one, or the id of a built-in one. */
  readonly env: LlmEnvironment | (() => LlmEnvironment) | string;
  /** Arguments of a built-in environment. */
  readonly env_config?: Readonly<Record<string, unknown>> | null;
  readonly tokenizer: Tokenizer;
  /** Upper bound on turns (default: 1). */
  readonly max_turns?: number | null;
  /** Upper bound on the ids of a sequence; `null` means no limit. */
  readonly max_model_len?: number | null;
  /** Upper bound on the ids of a completion, for which a prompt must leave room; `null` reserves one id. */
  readonly max_output_tokens?: number | null;
  /** Whether to reject templates that cannot be split after the model's message (default: true). */
  readonly strict_chat_template_boundary?: boolean | null;
  /** Whether to format prompts with the model's chat template, if it has one (default: true). */
  readonly apply_chat_template?: boolean | null;
  readonly chat_template_kwargs?: Readonly<Record<string, unknown>> | null;
  /** Text before the first observation, separated by an empty line. */
  readonly instruction?: string | null;
  /**
   * With "message" the environment receives text; with any other name, an object with the text in this field.
   */
  readonly action_field?: string | null;
  /** Field of the observation that contains the text. */
  readonly observation_field?: string | null;
  /** Converts an observation to text. */
  readonly observation_processor?: ((observation: unknown) => Awaitable<string>) | null;
  /**
   * Time limit for each reply of the environment, in seconds; `null` means no limit. Synchronous code of an
   * environment blocks its thread and cannot be interrupted from there.
   */
  readonly timeout?: number | null;
  /**
   * Weights of the components of rewards, by name. Each reward is then an object, with a weight for each component, and the
   * sum of its components times their weights; its own `reward` is not used (default: see `RewardComponents`).
   */
  readonly reward_weights?: RewardWeights | null;
  /** Not supported. */
  readonly mcp_tool?: string | null;
}

const isFunction = (value: unknown): boolean => typeof value === "function";
const mapping: OptionRule = { allowed: "an object", allows: isMapping };

const RULES = {
  env: {
    allowed: "an object with reset and step, a function that returns one, or a built-in id",
    allows: (value) => typeof value === "string" || isFunction(value) || isEnvironment(value),
  },
  env_config: mapping,
  tokenizer: { allowed: "a tokenizer", allows: (value) => isMapping(value) && isFunction(value.encode) },
  max_turns: COUNT,
  max_model_len: COUNT,
  max_output_tokens: COUNT,
  strict_chat_template_boundary: FLAG,
  apply_chat_template: FLAG,
  chat_template_kwargs: mapping,
  instruction: ANY_TEXT,
  action_field: ANY_TEXT,
  observation_field: ANY_TEXT,
  observation_processor: { allowed: "a function that converts an observation to a text", allows: isFunction },
  timeout: SECONDS,
  reward_weights: WEIGHTS,
  mcp_tool: ANY_TEXT,
} satisfies Record<keyof RolloutHarnessOptions, OptionRule>;

const isEnvironment = (value: unknown): value is LlmEnvironment =>
  isMapping(value) && isFunction(value.reset) && isFunction(value.step);

/**
 * @throws TypeError or RangeError naming an invalid option; Error for unsupported
 *   settings, with an alternative.
 */
export function checkHarnessOptions(options: RolloutHarnessOptions): void {
  const example = 'new RolloutHarness({ env: "rlkit/GridNavigation", tokenizer, max_turns: 5 })';
  checkOptions("RolloutHarness", options, RULES, { example });
  for (const name of ["env", "tokenizer"] as const)
    if ((options[name] ?? null) === null)
      throw new TypeError(`RolloutHarness: ${name}: missing, allowed ${RULES[name].allowed}`);
  if ((options.mcp_tool ?? null) !== null)
    throw new Error(
      "RolloutHarness: mcp_tool: tools of served environments are not supported; call the tool in step() of your own environment",
    );
  if ((options.observation_field ?? null) !== null && (options.observation_processor ?? null) !== null)
    throw new TypeError(
      "RolloutHarness: observation_processor: given with observation_field; keep one of the two",
    );
}

/**
 * @throws Error for a URL, a Python entry point, an unknown id, or a function that
 *   does not make an environment.
 */
export function environmentOf({ env, env_config }: RolloutHarnessOptions): LlmEnvironment {
  if (typeof env !== "string") {
    if ((env_config ?? null) !== null)
      throw new TypeError(
        "RolloutHarness: env_config: is only for built-in ids; pass the arguments where you create env",
      );
    const made: unknown = typeof env === "function" ? env() : env;
    if (isEnvironment(made)) return made;
    throw new TypeError(
      `RolloutHarness: env: the function returned ${show(made)}, allowed an object with reset and step`,
    );
  }
  const instead = `give an object with reset and step, or a built-in id: ${listLlmEnvironments().join(", ")}`;
  if (env.includes("://"))
    throw new Error(`RolloutHarness: env: found "${env}"; environments by URL are not supported; ${instead}`);
  if (isPythonAddress(env))
    throw new Error(
      `RolloutHarness: env: found "${env}"; environments in Python do not run here; ${instead}`,
    );
  if (moduleAddress(env) !== null)
    throw new Error(
      `RolloutHarness: env: found "${env}"; import the module and ${instead}; RolloutHarness.fromSpec loads what an entrypoint names`,
    );
  return makeLlmEnvironment(env, env_config ?? {});
}
