/** Options of a {@link RolloutHarness}, checked, and the environment that they name. */
import { checkOptions, type OptionRule } from "../../specs/checkOptions.ts";
import { show } from "../../specs/explainName.ts";
import { isMapping } from "../../specs/isMapping.ts";
import { isPythonAddress, moduleAddress } from "../modules/moduleAddress.ts";
import type { Tokenizer } from "../tokenizers/Tokenizer.ts";
import { listLlmEnvironments, makeLlmEnvironment } from "./builtin/registry.ts";
import type { Awaitable, LlmEnvironment } from "./LlmEnvironment.ts";

export interface RolloutHarnessOptions {
  /** An environment, a function that makes one, or the id of a built-in one. */
  readonly env: LlmEnvironment | (() => LlmEnvironment) | string;
  /** Arguments of a built-in environment. */
  readonly env_config?: Readonly<Record<string, unknown>> | null;
  readonly tokenizer: Tokenizer;
  /** Most turns, 1 unless given. */
  readonly max_turns?: number | null;
  /** Most ids of a sequence; null for any. */
  readonly max_model_len?: number | null;
  /** Most ids of a completion, which are kept free behind a prompt; null keeps one free. */
  readonly max_output_tokens?: number | null;
  /** Refuses templates that cannot be cut behind the model's message; true unless given. */
  readonly strict_chat_template_boundary?: boolean | null;
  /** Writes prompts in the model's chat form, where it has one; true unless given. */
  readonly apply_chat_template?: boolean | null;
  readonly chat_template_kwargs?: Readonly<Record<string, unknown>> | null;
  /** Text before the first observation, with an empty line between. */
  readonly instruction?: string | null;
  /** "message" gives the environment texts; another name gives objects that hold the text under it. */
  readonly action_field?: string | null;
  /** Field that holds the text of an observation. */
  readonly observation_field?: string | null;
  /** Makes the text of an observation. */
  readonly observation_processor?: ((observation: unknown) => Awaitable<string>) | null;
  /**
   * Longest wait for one answer of the environment, in seconds; null waits for ever. An environment that computes
   * without awaiting holds its thread: nothing can end it from there.
   */
  readonly timeout?: number | null;
  /** Not supported. */
  readonly mcp_tool?: string | null;
}

const isFunction = (value: unknown): boolean => typeof value === "function";
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 1;
const count: OptionRule = { allowed: "integers from 1", allows: isCount };
const flag: OptionRule = { allowed: "true or false", allows: (value) => typeof value === "boolean" };
const text: OptionRule = { allowed: "a text", allows: (value) => typeof value === "string" };
const mapping: OptionRule = { allowed: "an object", allows: isMapping };

const RULES = {
  env: {
    allowed: "an object with reset and step, a function that makes one, or a built-in id",
    allows: (value) => typeof value === "string" || isFunction(value) || isEnvironment(value),
  },
  env_config: mapping,
  tokenizer: { allowed: "a tokenizer", allows: (value) => isMapping(value) && isFunction(value.encode) },
  max_turns: count,
  max_model_len: count,
  max_output_tokens: count,
  strict_chat_template_boundary: flag,
  apply_chat_template: flag,
  chat_template_kwargs: mapping,
  instruction: text,
  action_field: text,
  observation_field: text,
  observation_processor: { allowed: "a function that makes a text of an observation", allows: isFunction },
  timeout: { allowed: "seconds above 0", allows: (value) => typeof value === "number" && value > 0 },
  mcp_tool: text,
} satisfies Record<keyof RolloutHarnessOptions, OptionRule>;

const isEnvironment = (value: unknown): value is LlmEnvironment =>
  isMapping(value) && isFunction(value.reset) && isFunction(value.step);

/** @throws TypeError or RangeError naming the option; Error for what is not supported, with what to use instead. */
export function checkHarnessOptions(options: RolloutHarnessOptions): void {
  const example = 'new RolloutHarness({ env: "rlkit/GridNavigation", tokenizer, max_turns: 5 })';
  checkOptions("RolloutHarness", options, RULES, { example });
  for (const name of ["env", "tokenizer"] as const)
    if ((options[name] ?? null) === null)
      throw new TypeError(`RolloutHarness: ${name}: missing, allowed ${RULES[name].allowed}`);
  if ((options.mcp_tool ?? null) !== null)
    throw new Error(
      "RolloutHarness: mcp_tool: tools of served environments are not supported; call the tool in step() of an environment of your own",
    );
  if ((options.observation_field ?? null) !== null && (options.observation_processor ?? null) !== null)
    throw new TypeError(
      "RolloutHarness: observation_processor: given with observation_field; keep one of the two",
    );
}

/** @throws Error for an address, an entry point of Python, an unknown id, or a function that makes no environment. */
export function environmentOf({ env, env_config }: RolloutHarnessOptions): LlmEnvironment {
  if (typeof env !== "string") {
    if ((env_config ?? null) !== null)
      throw new TypeError(
        "RolloutHarness: env_config: belongs to built-in ids; give the arguments where env is made",
      );
    const made: unknown = typeof env === "function" ? env() : env;
    if (isEnvironment(made)) return made;
    throw new TypeError(
      `RolloutHarness: env: the function gave ${show(made)}, allowed an object with reset and step`,
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
