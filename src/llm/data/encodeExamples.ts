/** Encodes rows as ids: a prompt, and its possible answers. */
import { type MessageForm, openingText } from "../tokenizers/chatText.ts";
import type { PromptTemplate } from "./promptTemplate.ts";
import { cellText, type Row } from "./rows.ts";

export interface Example {
  readonly prompt: Int32Array;
  /** Each ends with eos, unless the context limit truncates it. One for SFT; chosen and rejected for DPO. */
  readonly answers: readonly Int32Array[];
}

export interface EncodeOptions {
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
  options: EncodeOptions,
): { readonly examples: Example[]; readonly dropped: number } {
  const { form, prompt, answer_columns } = options;
  const most = options.max_context_length ?? Infinity;
  const examples = rows.flatMap((row): Example[] => {
    const ids = form.tokenizer.encode(openingText(form, prompt(row)));
    if (ids.length > most - options.min_completion_length) return [];
    const answers = answer_columns.map((column) => {
      const answer = [...form.tokenizer.encode(cellText(row[column] ?? "")), form.tokenizer.eos_token_id];
      return Int32Array.from(answer.slice(0, most - ids.length));
    });
    return [{ prompt: ids, answers }];
  });
  return { examples, dropped: rows.length - examples.length };
}
