/** Harness options for a manifest's environment. */
import type { RolloutEnvSpec } from "../../specs/sections.ts";
import { loadSplit, type RowSource, textReader } from "../data/loadSplit.ts";
import { toolsOf, withTools } from "../data/messages.ts";
import type { Rubric } from "../data/rows.ts";
import { moduleAddress } from "../modules/moduleProtocol.ts";
import { UserModules } from "../modules/UserModule.ts";
import { openingIds } from "../tokenizers/chatText.ts";
import { withTemplateOf } from "../tokenizers/TemplatedTokenizer.ts";
import type { Tokenizer } from "../tokenizers/Tokenizer.ts";
import { environmentOf, type RolloutHarnessOptions } from "./harnessOptions.ts";
import { moduleEnvironments, moduleProcessor, moduleRubric } from "./moduleSources.ts";
import { RowsEnvironment, type RowsTask, rowsTask } from "./RowsEnvironment.ts";
import { requireSupported } from "./requireSupported.ts";
import { builtInRubric, resolveRubric } from "./rubrics.ts";

/** Options that manifests do not have. */
export interface SpecHarnessOptions extends RowSource {
  readonly tokenizer: Tokenizer;
  readonly max_model_len?: number | null;
  readonly max_output_tokens?: number | null;
  /**
   * The manifest's modules. Defaults to new ones, which live as long as the process.
   * @internal
   */
  readonly modules?: UserModules;
}

/** Default time limit for a reply, in seconds, if the manifest sets none. */
export const IO_TIMEOUT_S = 600;

/**
 * Prepares the options of all harnesses. The rows are read once and shared.
 *
 * @returns A function that makes the options of one harness.
 * @throws Error for unsupported settings, with an alternative, and for invalid rows or rubrics.
 */
export async function specHarnessOptions(
  spec: RolloutEnvSpec,
  options: SpecHarnessOptions,
): Promise<() => RolloutHarnessOptions> {
  requireSupported(spec);
  const modules =
    options.modules ?? (await UserModules.of({ deadline_s: spec.request_timeout_s ?? IO_TIMEOUT_S }));
  const shared: Omit<RolloutHarnessOptions, "env"> = {
    tokenizer: await withTemplateOf(options.tokenizer, spec, textReader(options)),
    max_model_len: options.max_model_len ?? null,
    max_output_tokens: options.max_output_tokens ?? null,
    max_turns: spec.max_turns,
    strict_chat_template_boundary: spec.strict_chat_template_boundary,
    apply_chat_template: spec.apply_chat_template,
    chat_template_kwargs: spec.chat_template_kwargs,
    action_field: spec.action_field,
    observation_field: spec.observation_field,
    reward_weights: spec.reward_weights,
    observation_processor: await moduleProcessor(modules, spec),
  };
  const makeEnvironment = await moduleEnvironments(modules, spec);
  // Modules have their own time limit.
  if (makeEnvironment !== null) return () => ({ ...shared, env: makeEnvironment });
  const { entrypoint, env_config, request_timeout_s: timeout } = spec;
  if (entrypoint !== null) {
    const served = { ...shared, env: entrypoint, env_config, timeout };
    // Invalid arguments must fail here, before the first rollout.
    environmentOf(served);
    return () => served;
  }
  const rubric = await rubricOf(spec, modules);
  if (rubric === null)
    throw new Error("environment.rubric_file_path: missing; the rows' answers need a rubric");
  const task = await taskOf(spec, rubric, shared.tokenizer, options);
  return () => ({ ...shared, env: new RowsEnvironment(task) });
}

/**
 * The rubric that a manifest names; `null` if it names none. @throws Error for one that cannot be loaded.
 * @internal
 */
export const rubricOf = async (
  { rubric_file_path, rubric_name }: Pick<RolloutEnvSpec, "rubric_file_path" | "rubric_name">,
  modules: UserModules,
): Promise<Rubric | null> =>
  rubric_file_path === null
    ? null
    : resolveRubric(rubric_file_path, rubric_name ?? "reward_fn", (path, name) =>
        moduleRubric(modules, path, name),
      );

/** Reads the rows of a manifest's environment. */
async function taskOf(
  spec: RolloutEnvSpec,
  rubric: Rubric,
  tokenizer: Tokenizer,
  source: RowSource,
): Promise<RowsTask> {
  const { train, test } = await loadSplit(spec, source);
  return rowsTask(
    train,
    rubric,
    {
      name: spec.dataset ?? spec.dataset_path ?? spec.hf_dataset_id ?? spec.name,
      test_rows: test,
      prompt_template: spec.prompt_template,
      answer_column: spec.response_column ?? "answer",
    },
    {
      tokenizer,
      apply_chat_template: spec.apply_chat_template,
      chat_template_kwargs: spec.chat_template_kwargs,
    },
  );
}

/**
 * The tokens of the longest prompt in the rows of a manifest's environment; null if it has none. Runs no module.
 * @throws Error for invalid rows, or a template that fails.
 * @internal
 */
export async function longestPrompt(
  spec: RolloutEnvSpec,
  { tokenizer, ...source }: RowSource & Pick<SpecHarnessOptions, "tokenizer">,
): Promise<number | null> {
  if (spec.entrypoint !== null || spec.rubric_file_path === null) return null;
  const templated = await withTemplateOf(tokenizer, spec, textReader(source));
  const rubric: Rubric = moduleAddress(spec.rubric_file_path)
    ? () => 0
    : builtInRubric(spec.rubric_file_path);
  const { train, test, prompt } = await taskOf(spec, rubric, templated, source);
  const { apply_chat_template, chat_template_kwargs } = spec;
  const form = { tokenizer: templated, apply_chat_template, chat_template_kwargs };
  return [...train, ...test].reduce((most, row) => {
    const own = withTools(form, toolsOf(row, spec.prompt_template));
    return Math.max(most, openingIds(own, prompt(row)).length);
  }, 0);
}
