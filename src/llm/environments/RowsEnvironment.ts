/** A single-turn environment over rows, with prompts from the rows and rewards from a rubric. */

import { reasonOf } from "../../storage/files.ts";
import {
  isMessageList,
  readMessages,
  requireTemplate,
  textOf,
  toolsOf,
  warnOfTools,
} from "../data/messages.ts";
import { compilePrompt, type PromptTemplate, promptOf } from "../data/promptTemplate.ts";
import { RowOrder } from "../data/rowOrder.ts";
import { cellText, type Row, type Rubric, requireColumns, warnOfOverlap } from "../data/rows.ts";
import type { MessageForm } from "../tokenizers/chatText.ts";
import type { LlmEnvironment, ResetOptions } from "./LlmEnvironment.ts";
import { needsAnswer, rewardOf } from "./rubrics.ts";

/** Rows with their prompts and rubric, shared by the environments of all trajectories. */
export interface RowsTask {
  readonly name: string;
  readonly train: readonly Row[];
  /** Held-out rows. If there are none, evaluation uses `train`. */
  readonly test: readonly Row[];
  readonly prompt: PromptTemplate;
  /** See {@link RowsTaskOptions}. */
  readonly prompt_template: Readonly<Record<string, string>> | null;
  readonly answer_column: string;
  readonly rubric: Rubric;
}

export interface RowsTaskOptions {
  readonly name?: string;
  readonly test_rows?: readonly Row[] | null;
  /** Messages by `role_position`; `null` uses the column "prompt" as the user's message. */
  readonly prompt_template?: Readonly<Record<string, string>> | null;
  /** Column of the answer that the rubric compares with (default: "answer"). */
  readonly answer_column?: string;
}

/**
 * Rows whose prompts are neither texts nor valid messages are left out, with a warning that counts them.
 *
 * @param form How the prompts will be written, if known.
 * @throws Error if there are no rows, naming missing columns that the template, prompt or rubric needs, or for messages
 *   without a chat template.
 * @internal
 */
export function rowsTask(
  rows: readonly Row[],
  rubric: Rubric,
  options: RowsTaskOptions = {},
  form: MessageForm | null = null,
): RowsTask {
  const { name = "rows", test_rows } = options;
  const template = options.prompt_template ?? null;
  if (rows.length === 0) throw new Error(`${name}: found no rows, allowed at least one`);
  const answer_column = options.answer_column ?? "answer";
  const needed = [...(template === null ? ["prompt"] : []), ...(needsAnswer(rubric) ? [answer_column] : [])];
  const [train = [], test = []] = [rows, test_rows ?? []].map((split) => {
    requireColumns(split, needed, name);
    if (form !== null) warnOfTools(split, form, template, name);
    if (template !== null) return split;
    if (form !== null) requireTemplate(split, ["prompt"], form, name);
    return withPrompts(split, name);
  });
  const prompt = template === null ? promptOf("prompt") : compilePrompt(template, rows);
  const keyOf = (row: Row): string => JSON.stringify([prompt(row), row[answer_column]]);
  warnOfOverlap({ train, test }, [keyOf], name);
  return {
    name,
    train,
    test,
    prompt,
    prompt_template: template,
    answer_column,
    rubric,
  };
}

/** The rows with prompts that can be used. @throws Error if none of several can. */
function withPrompts(rows: readonly Row[], place: string): readonly Row[] {
  const faults: string[] = [];
  const kept = rows.filter((row, i) => {
    const { prompt } = row;
    try {
      toolsOf(row, null);
      if (isMessageList(prompt)) readMessages(prompt, "prompt", "prompt");
      else textOf(prompt, "prompt");
      return true;
    } catch (error) {
      faults.push(`row ${i + 1}: ${reasonOf(error)}`);
      return false;
    }
  });
  if (faults.length === 0) return rows;
  if (kept.length === 0) throw new Error(`${place}: no row has a prompt that can be used; ${faults[0]}`);
  console.warn(
    `rlkit: ${place}: ${faults.length} of ${rows.length} rows are left out because they cannot be used; the first: ${faults[0]}`,
  );
  return kept;
}

export class RowsEnvironment implements LlmEnvironment {
  readonly name: string;
  readonly #task: RowsTask;
  readonly #order: RowOrder;
  #resets = 0;
  #evaluating = false;
  #row: Row = {};

  constructor(task: RowsTask) {
    this.name = task.name;
    this.#task = task;
    this.#order = new RowOrder(task.train.length);
  }

  /** Number of rows: of the held-out rows during evaluation, otherwise of the training rows. */
  get dataset_size(): number {
    return this.#rows.length;
  }

  /** Completed passes over the rows by resets without a `row_index`. */
  get num_epochs(): number {
    return this.#order.epochOf(this.#resets);
  }

  setEvaluation(on: boolean): void {
    this.#evaluating = on && this.#task.test.length > 0;
  }

  /** @throws RangeError for a row that does not exist. */
  reset(_seed?: number, { row_index }: ResetOptions = {}) {
    const { prompt, prompt_template } = this.#task;
    const rows = this.#rows;
    const index = row_index ?? this.#nextRow(rows.length);
    const row = rows[index];
    if (row === undefined)
      throw new RangeError(`row_index: found ${index}, allowed integers from 0 to ${rows.length - 1}`);
    this.#row = row;
    const tools = toolsOf(row, prompt_template);
    return [prompt(row), { row_index: index, ...(tools && { tools }) }] as const;
  }

  /** Its reward is what the rubric returns, whatever that is. */
  async step(completion: string) {
    const { rubric, answer_column } = this.#task;
    const answer = cellText(this.#row[answer_column] ?? "");
    return ["", await rewardOf(rubric, completion, answer, this.#row), true, false, {}] as const;
  }

  /** Rows that `reset` chooses from. */
  get #rows(): readonly Row[] {
    const { train, test } = this.#task;
    return this.#evaluating ? test : train;
  }

  #nextRow(rows: number): number {
    const position = this.#resets++;
    return this.#evaluating ? position % rows : this.#order.at(position);
  }
}
