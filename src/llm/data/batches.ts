/**
 * Encodes rows as ids, a prompt and its possible answers, and pads examples on the right to one length.
 */
import { answerIds, type MessageForm, openingIds } from "../tokenizers/chatText.ts";
import type { PromptTemplate } from "./promptTemplate.ts";
import type { ShapedArray } from "./readArray.ts";
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

/** Prompts with target responses: B rows of T ids. */
export interface SftBatch {
  /** Prompt, response, eos: [B, T]. */
  readonly input_ids: ShapedArray<Int32Array>;
  /** 1 up to the end of the response: [B, T]. */
  readonly attention_mask: ShapedArray<Int32Array>;
  /** [B]. */
  readonly prompt_lengths: Int32Array;
}

/** Prompts with a chosen and a rejected response, all padded to one length: B pairs of T ids. */
export interface PreferenceBatch {
  /** [B, T], like the other three. */
  readonly chosen_input_ids: ShapedArray<Int32Array>;
  readonly chosen_attention_mask: ShapedArray<Int32Array>;
  readonly rejected_input_ids: ShapedArray<Int32Array>;
  readonly rejected_attention_mask: ShapedArray<Int32Array>;
  /** [B]. */
  readonly prompt_lengths: Int32Array;
}

const lengthWith = ({ prompt, answers }: Example, side: number): number =>
  prompt.length + (answers[side]?.length ?? 0);

/** The ids of one side of the examples, and their mask. */
function padded(examples: readonly Example[], side: number, length: number, pad_token_id: number) {
  const ids = new Int32Array(examples.length * length).fill(pad_token_id);
  const mask = new Int32Array(ids.length);
  for (const [row, example] of examples.entries()) {
    const start = row * length;
    ids.set(example.prompt, start);
    ids.set(example.answers[side] ?? [], start + example.prompt.length);
    mask.fill(1, start, start + lengthWith(example, side));
  }
  const shape = [examples.length, length];
  return { input_ids: { shape, data: ids }, attention_mask: { shape, data: mask } };
}

const promptLengths = (examples: readonly Example[]): Int32Array =>
  Int32Array.from(examples, ({ prompt }) => prompt.length);

export function sftBatch(examples: readonly Example[], pad_token_id: number): SftBatch {
  const length = Math.max(...examples.map((example) => lengthWith(example, 0)));
  return { ...padded(examples, 0, length, pad_token_id), prompt_lengths: promptLengths(examples) };
}

export function preferenceBatch(examples: readonly Example[], pad_token_id: number): PreferenceBatch {
  const length = Math.max(...examples.flatMap((example) => [0, 1].map((side) => lengthWith(example, side))));
  const chosen = padded(examples, 0, length, pad_token_id);
  const rejected = padded(examples, 1, length, pad_token_id);
  return {
    chosen_input_ids: chosen.input_ids,
    chosen_attention_mask: chosen.attention_mask,
    rejected_input_ids: rejected.input_ids,
    rejected_attention_mask: rejected.attention_mask,
    prompt_lengths: promptLengths(examples),
  };
}
