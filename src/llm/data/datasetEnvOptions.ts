/** Checks the options of a DatasetEnv and encodes its examples. */
import {
  ANY_TEXT,
  COUNT,
  checkOptions,
  DELAY,
  FLAG,
  FUNCTION,
  OBJECT,
  type OptionRule,
} from "../../specs/checks.ts";
import { DATASET_FITNESS, type DatasetFitness, datasetFitness } from "../../specs/sections.ts";
import type { Tokenizer } from "../tokenizers/Tokenizer.ts";
import { type EncodedRow, encodeExamples, type RowReason } from "./batches.ts";
import { controlTexts } from "./controlTexts.ts";
import { type LabelledColumns, rowEncoder } from "./examples.ts";
import { columnsOf, type RewardWeights, type Row, type Rubric, requireRows, WEIGHTS } from "./rows.ts";
import { warnOfTools } from "./tools.ts";
import { unpairedRows } from "./unpairedRows.ts";

export type Objective = keyof typeof DATASET_FITNESS;

/** @throws TypeError for a measure that the objective or a missing rubric does not allow. @internal */
export function fitnessOf({ objective, fitness = null, rubric = null }: DatasetEnvOptions): DatasetFitness {
  const allowed: readonly DatasetFitness[] = DATASET_FITNESS[objective];
  const found = datasetFitness(objective, fitness, rubric !== null);
  if (!allowed.includes(found))
    throw new TypeError(
      `DatasetEnv: fitness: found "${found}", allowed ${allowed.join(", ")} for ${objective}`,
    );
  if ((found === "rubric") !== (rubric !== null))
    throw new TypeError(
      `DatasetEnv: rubric: found ${rubric === null ? "none" : "one"}; fitness "rubric" needs one, and no other takes one`,
    );
  return found;
}

export interface DatasetEnvOptions<O extends Objective = Objective> {
  readonly train: readonly Row[];
  /** Held-out rows. With `null` or an empty list, evaluation uses `train`. */
  readonly test?: readonly Row[] | null;
  readonly tokenizer: Tokenizer;
  /**
   * "preference" needs the columns "chosen" and "rejected"; "sft" needs the response column, or "messages"; "unpaired"
   * needs the response column and "label", or pairs.
   */
  readonly objective: O;
  /** Default: "response", or "completion" if the rows have only that. */
  readonly response_column?: string | null;
  /** Default: "prompt". */
  readonly prompt_column?: string | null;
  /** Messages of the prompt by `role_position`, which replace the prompt column. */
  readonly prompt_template?: Readonly<Record<string, string>> | null;
  /** Rows per batch (default: 8). The last batch of an epoch may have fewer. */
  readonly data_batch_size_per_gpu?: number | null;
  /**
   * Upper bound on the ids of prompt and response together; longer responses are
   * truncated. `null` means no limit.
   */
  readonly max_context_length?: number | null;
  /** Ids that a prompt must leave for the response (default: 1). Rows with longer prompts are left out. */
  readonly min_completion_length?: number | null;
  /** Seed for the order of rows (default: 42). */
  readonly seed?: number | null;
  /** Whether to format prompts with the model's chat template, if it has one (default: true). */
  readonly apply_chat_template?: boolean | null;
  readonly chat_template_kwargs?: Readonly<Record<string, unknown>> | null;
  /** What an evaluation measures (default: `rubric` with a rubric, else `accuracy` of pairs and `likelihood` of responses). */
  readonly fitness?: DatasetFitness | null;
  /** Rewards greedy answers to held-out prompts, for the fitness `rubric`. */
  readonly rubric?: Rubric | null;
  /** Weights of the components of its rewards, by name (default: see `RewardComponents`). */
  readonly reward_weights?: RewardWeights | null;
}

const list: OptionRule = { allowed: "a list of rows", allows: Array.isArray };

const RULES = {
  train: list,
  test: list,
  tokenizer: OBJECT,
  objective: {
    allowed: '"preference", "unpaired" or "sft"',
    allows: (value) => Object.keys(DATASET_FITNESS).some((own) => own === value),
  },
  response_column: ANY_TEXT,
  prompt_column: ANY_TEXT,
  prompt_template: OBJECT,
  data_batch_size_per_gpu: COUNT,
  max_context_length: COUNT,
  min_completion_length: COUNT,
  seed: DELAY,
  apply_chat_template: FLAG,
  chat_template_kwargs: OBJECT,
  fitness: {
    allowed: DATASET_FITNESS.preference.join(", "),
    allows: (value) => DATASET_FITNESS.preference.some((own) => own === value),
  },
  rubric: FUNCTION,
  reward_weights: WEIGHTS,
} satisfies Record<keyof DatasetEnvOptions, OptionRule>;

/** @throws TypeError or RangeError naming an invalid option. @internal */
export function checkDatasetOptions(options: DatasetEnvOptions): void {
  const example = 'new DatasetEnv({ train, test, tokenizer, objective: "sft" })';
  checkOptions("DatasetEnv", options, RULES, { example });
  for (const name of ["train", "tokenizer", "objective"] as const)
    if ((options[name] ?? null) === null)
      throw new TypeError(`DatasetEnv: ${name}: missing, allowed ${RULES[name].allowed}`);
}

/** The columns that rows are read from, by the names of the first. @internal */
export function labelledColumns(
  rows: readonly Row[],
  options: Pick<DatasetEnvOptions, "objective" | "prompt_column" | "prompt_template" | "response_column">,
): LabelledColumns {
  const { prompt_template = null, objective } = options;
  const prompt = options.prompt_column ?? "prompt";
  if (objective === "preference")
    return { prompt, answers: ["chosen", "rejected"], messages: null, prompt_template };
  const found = columnsOf(rows);
  const usual = !found.includes("response") && found.includes("completion") ? "completion" : "response";
  const answers = [options.response_column ?? usual];
  return objective === "sft"
    ? { prompt, answers, messages: "messages", prompt_template }
    : { prompt, answers, messages: null, labelled: true, prompt_template };
}

/** The rows that an objective learns from: for single answers, pairs are two rows. @internal */
export const answersOf = (
  rows: readonly Row[],
  { objective, response_column }: Pick<DatasetEnvOptions, "objective" | "response_column">,
): readonly Row[] => (objective === "unpaired" ? unpairedRows(rows, response_column ?? "response") : rows);

/** The first reason, and the numbers of the other rows. */
function reasons([first, ...others]: readonly RowReason[]): string {
  const shown = others.slice(0, MOST_ROWS).map(({ row }) => row);
  const more = others.length > MOST_ROWS ? ` and ${others.length - MOST_ROWS} more` : "";
  const rest = `; ${others.length === 1 ? "row" : "rows"} ${shown.join(", ")}${more} cannot be used either`;
  return first === undefined ? "" : `row ${first.row}: ${first.reason}${others.length === 0 ? "" : rest}`;
}

/** Numbers of rows that are named at most. */
const MOST_ROWS = 8;

/**
 * The examples of one split. Rows that cannot be encoded or are too long are left out, with a warning that counts them.
 *
 * @throws Error naming missing columns and those found, or why no row is left.
 * @internal
 */
export function examplesOf(
  split: string,
  given: readonly Row[],
  options: DatasetEnvOptions,
): readonly EncodedRow[] {
  const place = `DatasetEnv: ${split}`;
  const rows = answersOf(requireRows(given, place), options);
  const form = {
    tokenizer: options.tokenizer,
    apply_chat_template: options.apply_chat_template ?? true,
    chat_template_kwargs: options.chat_template_kwargs ?? {},
  };
  const { max_context_length = null } = options;
  const min_completion_length = options.min_completion_length ?? 1;
  const encode = rowEncoder(rows, labelledColumns(rows, options), form, place);
  const limits = { max_context_length, min_completion_length };
  const { examples, dropped, cut, faults } = encodeExamples(rows, encode, limits);
  const limit = `prompts longer than ${(max_context_length ?? 0) - min_completion_length} tokens (max_context_length ${max_context_length} less min_completion_length ${min_completion_length})`;
  if (examples.length === 0) {
    if (faults.length > 0) throw new Error(`${place}: ${reasons(faults)}`);
    const why =
      dropped > 0 ? `all ${dropped} have ${limit}; raise max_context_length` : "allowed at least one";
    throw new Error(`${place}: found no rows to use; ${why}`);
  }
  const warn = (count: number, what: string): void => {
    if (count > 0) console.warn(`rlkit: ${place}: ${count} of ${rows.length} rows are ${what}`);
  };
  warn(faults.length, `left out because they cannot be used; the first: ${reasons(faults)}`);
  warn(dropped, `left out because of ${limit}`);
  warnOfTools(rows, form, options.prompt_template ?? null, place);
  const control = controlTexts(rows, examples, options.tokenizer);
  warn(control.count, `with the text of special tokens, which they become; the first: ${control.first}`);
  warn(cut, `cut at ${max_context_length} tokens (max_context_length), so their answers have no end`);
  return examples;
}
