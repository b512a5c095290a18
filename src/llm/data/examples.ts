/** Encodes labelled rows as ids: texts, or messages as TRL's conversational data sets have them. */

import { answerIds, type MessageForm, openingIds } from "../tokenizers/chatText.ts";
import { answeredIds, type ConversationIds, conversationIds } from "../tokenizers/conversationIds.ts";
import type { ChatMessage } from "../tokenizers/Tokenizer.ts";
import { EQUAL_ANSWERS } from "./batches.ts";
import { isMessageList, readMessages, requireTemplate, textOf } from "./messages.ts";
import { compilePrompt, type PromptTemplate, promptOf } from "./promptTemplate.ts";
import { type Row, requireColumns } from "./rows.ts";
import { toolsOf, withTools } from "./tools.ts";
import { LABEL, labelOf } from "./unpairedRows.ts";

/** A prompt with its possible answers: one for SFT and KTO; chosen and rejected for DPO. */
export interface Example {
  /** Ids before the assistant's first. */
  readonly prompt: Int32Array;
  /** Each ends with eos, unless the context limit truncates it. */
  readonly answers: readonly Int32Array[];
  /** 1 for ids of the only answer that the assistant wrote, if others are among them. */
  readonly own?: Uint8Array;
  /** Whether the only answer is desirable; rows of KTO have it. */
  readonly label?: boolean;
}

/** Columns of labelled rows. */
export interface LabelledColumns {
  readonly prompt: string;
  /** One for SFT and KTO; chosen and rejected for DPO. */
  readonly answers: readonly string[];
  /** Of whole conversations, which stand for prompt and answer; `null` if the objective has none. */
  readonly messages: string | null;
  /** Whether rows say if their answer is desirable. */
  readonly labelled?: boolean;
  readonly prompt_template: Readonly<Record<string, string>> | null;
}

export type EncodeRow = (row: Row) => Example;

function exampleOf(sides: readonly ConversationIds[]): Example {
  const starts = sides.map(({ own }) => own.indexOf(1));
  // Where a token joins prompt and answer, the sides may differ in the last ids of the prompt.
  const start = Math.max(0, Math.min(...starts));
  const [only, ...others] = sides.map(({ own }) => own.subarray(start));
  const foreign = others.length === 0 && only?.includes(0) === true;
  return {
    prompt: sides[0]?.ids.subarray(0, start) ?? new Int32Array(0),
    answers: sides.map(({ ids }) => ids.subarray(start)),
    ...(foreign ? { own: only } : {}),
  };
}

/** Splits two conversations where they begin to differ, as TRL does: what they share is the prompt. */
function sharedPrompt(sides: readonly (readonly ChatMessage[])[]): number {
  const [first = [], ...others] = sides;
  const differs = first.findIndex((message, i) =>
    others.some((side) => JSON.stringify(side[i]) !== JSON.stringify(message)),
  );
  return differs < 0 ? first.length : differs;
}

const answered = (content: string): ChatMessage[] => [{ role: "assistant", content }];

/**
 * The conversations of a row, of which prompt or answers are messages.
 * @returns The prompt and the answer to it, for each side.
 */
function turnsOf(row: Row, columns: LabelledColumns, promptOfRow: PromptTemplate) {
  const { prompt, answers } = columns;
  const given = columns.prompt_template === null ? row[prompt] : undefined;
  // Answers that begin with the user's message contain the prompt; a prompt in text then only repeats it.
  const whole = answers.every((column) => {
    const cell = row[column];
    return isMessageList(cell) && cell.length > 0 && (cell[0] as { role?: unknown }).role !== "assistant";
  });
  if (answers.length > 1 && whole && !isMessageList(given)) {
    const sides = answers.map((column) => readMessages(row[column], "conversation", column));
    const shared = sharedPrompt(sides);
    if (sides.every(({ length }) => length === shared)) throw new Error(EQUAL_ANSWERS);
    const opening = readMessages(
      sides[0]?.slice(0, shared),
      "prompt",
      `${answers.join(" and ")}, shared messages`,
    );
    return sides.map((side, i) => ({
      prompt: opening,
      answer: readMessages(side.slice(shared), "answer", `${answers[i] ?? ""}, behind the shared messages`),
    }));
  }
  if (columns.prompt_template === null && (given ?? null) === null)
    throw new Error(`has no "${prompt}", and its answers do not begin with the user's message`);
  const opening = promptOfRow(row);
  return answers.map((column) => {
    const cell = row[column];
    const answer = isMessageList(cell)
      ? readMessages(cell, "answer", column)
      : answered(textOf(cell, column));
    return { prompt: opening, answer };
  });
}

/**
 * Chooses how rows are encoded: by their first, as whole conversations or as prompts with answers.
 * @throws Error naming missing columns and those found, or messages without a chat template.
 */
export function rowEncoder(
  rows: readonly Row[],
  columns: LabelledColumns,
  form: MessageForm,
  place: string,
): EncodeRow {
  const { prompt, messages, prompt_template, labelled = false } = columns;
  if (labelled) {
    requireColumns(rows, [LABEL], place);
    const encode = rowEncoder(rows, { ...columns, labelled: false }, form, place);
    return (row) => ({ ...encode(row), label: labelOf(row) });
  }
  const [first = {}] = rows;
  const has = (column: string): boolean => (first[column] ?? null) !== null;
  if (messages !== null && prompt_template === null && has(messages) && !columns.answers.some(has)) {
    requireColumns(rows, [messages], place);
    requireTemplate(rows, [messages], form, place);
    return (row) => {
      const conversation = readMessages(row[messages], "conversation", messages);
      return exampleOf([conversationIds(withTools(form, toolsOf(row, prompt_template)), conversation)]);
    };
  }
  const conversations =
    columns.answers.length > 1 && columns.answers.every((name) => isMessageList(first[name]));
  const needed = prompt_template === null && !conversations ? [prompt, ...columns.answers] : columns.answers;
  requireColumns(rows, needed, place);
  requireTemplate(rows, needed.concat(prompt), form, place);
  const promptOfRow = prompt_template === null ? promptOf(prompt) : compilePrompt(prompt_template, rows);
  return (row) => {
    const own = withTools(form, toolsOf(row, prompt_template));
    const cells = [
      prompt_template === null ? row[prompt] : null,
      ...columns.answers.map((name) => row[name]),
    ];
    if (cells.some(isMessageList))
      return exampleOf(
        turnsOf(row, columns, promptOfRow).map((side) => answeredIds(own, side.prompt, side.answer)),
      );
    return {
      prompt: openingIds(own, promptOfRow(row)),
      answers: columns.answers.map((name) => Int32Array.from(answerIds(own, textOf(row[name], name)))),
    };
  };
}
