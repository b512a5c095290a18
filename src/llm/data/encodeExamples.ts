/** Encodes rows as ids: a prompt, and its possible answers. */
import { answerIds, type MessageForm, openingIds } from "../tokenizers/chatText.ts";
import type { PromptTemplate } from "./promptTemplate.ts";
import { cellText, type Row } from "./rows.ts";

export interface Example {
  readonly prompt: Int32Array;
  /** Each ends with eos, unless the context limit truncates it. One for SFT; chosen and rejected for DPO. */
  readonly answers: readonly Int32Array[];
}

export interface ExampleOptions {
  readonly form: MessageForm;
  readonly prompt: PromptTemplate;
  readonly answer_columns: readonly string[];
  /** Upper bound on the ids of prompt and answer together; `null` means no limit. */
  readonly max_context_length: number | null;
  /** Ids that a prompt must leave for its answer. */
  readonly min_completion_length: number;
}

/** @returns The examples with prompts within the limit, and the number of rows dropped. */
export function encodeExamples(
  rows: readonly Row[],
  options: ExampleOptions,
): { readonly examples: Example[]; readonly dropped: number } {
  const { form, prompt, answer_columns } = options;
  const most = options.max_context_length ?? Infinity;
  const examples = rows.flatMap((row): Example[] => {
    const ids = openingIds(form, prompt(row));
    if (ids.length > most - options.min_completion_length) return [];
    const answers = answer_columns.map((column) =>
      Int32Array.from(answerIds(form, cellText(row[column] ?? "")).slice(0, most - ids.length)),
    );
    return [{ prompt: ids, answers }];
  });
  return { examples, dropped: rows.length - examples.length };
}
