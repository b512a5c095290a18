/** Options of harnesses as a manifest's environment describes them. */
import type { RolloutEnvSpec } from "../../specs/LLMEnvSpec.ts";
import { loadSplit, type ReadText } from "../data/loadSplit.ts";
import type { Tokenizer } from "../tokenizers/Tokenizer.ts";
import { environmentOf, type RolloutHarnessOptions } from "./harnessOptions.ts";
import { RowsEnvironment, rowsTask } from "./RowsEnvironment.ts";
import { requireSupported } from "./requireSupported.ts";
import { type LoadRubric, resolveRubric } from "./rubrics.ts";

/** What a manifest does not say. */
export interface SpecHarnessOptions {
  readonly tokenizer: Tokenizer;
  readonly max_model_len?: number | null;
  readonly max_output_tokens?: number | null;
  /** Reads files of rows; absent where there are none. */
  readonly readText?: ReadText;
  /** Loads rubrics of modules; absent where they cannot be loaded. */
  readonly loadRubric?: LoadRubric;
}

/**
 * Reads the rows once, which all harnesses share.
 *
 * @returns Makes the options of one harness.
 * @throws Error for what is not supported, with what to use instead, and for rows or a rubric that are not as they
 *   should be.
 */
export async function specHarnessOptions(
  spec: RolloutEnvSpec,
  options: SpecHarnessOptions,
): Promise<() => RolloutHarnessOptions> {
  requireSupported(spec);
  const shared: Omit<RolloutHarnessOptions, "env"> = {
    tokenizer: options.tokenizer,
    max_model_len: options.max_model_len ?? null,
    max_output_tokens: options.max_output_tokens ?? null,
    max_turns: spec.max_turns,
    strict_chat_template_boundary: spec.strict_chat_template_boundary,
    apply_chat_template: spec.apply_chat_template,
    chat_template_kwargs: spec.chat_template_kwargs,
    action_field: spec.action_field,
    observation_field: spec.observation_field,
    timeout: spec.request_timeout_s,
  };
  const { entrypoint, env_config } = spec;
  if (entrypoint !== null) {
    const served = { ...shared, env: entrypoint, env_config };
    // A name or an argument that is none fails before the first rollout.
    environmentOf(served);
    return () => served;
  }
  const rubric = await resolveRubric(
    spec.rubric_file_path ?? "",
    spec.rubric_name ?? "reward_fn",
    options.loadRubric,
  );
  const { train, test } = await loadSplit(spec, options.readText);
  const task = rowsTask(train, rubric, {
    name: spec.dataset ?? spec.dataset_path ?? spec.name,
    test_rows: test,
    prompt_template: spec.prompt_template,
    answer_column: spec.response_column ?? "answer",
  });
  return () => ({ ...shared, env: new RowsEnvironment(task) });
}
