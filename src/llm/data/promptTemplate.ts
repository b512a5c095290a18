/** Builds prompts from rows: messages by `role_position`, with column names in braces. */
import { isMapping } from "../../specs/messages.ts";
import type { ChatMessage } from "../tokenizers/Tokenizer.ts";
import { isMessageList, readMessages, textOf } from "./messages.ts";
import { cellText, columnsOf, type Row } from "./rows.ts";

interface MessageTemplate {
  readonly role: ChatMessage["role"];
  readonly position: number;
  readonly content: string;
}

/** A column in braces, or a doubled brace, which is an escaped brace. */
const PLACE = /\{\{|\}\}|\{([\p{L}_][\p{L}\p{N}_ .-]*)\}/gu;

const KEY = /^(system|user|assistant)_(\d+)$/;

function templatesOf(prompt_template: Readonly<Record<string, string>>): MessageTemplate[] {
  const templates = Object.entries(prompt_template).map(([key, content]) => {
    const [, role, position] = KEY.exec(key) ?? [];
    if (role === undefined || position === undefined)
      throw new Error(
        `prompt_template: found the key "${key}", allowed role_position with the roles system, user and assistant, such as user_1`,
      );
    // The regular expression allows no other role.
    return { role: role as ChatMessage["role"], position: Number(position), content };
  });
  const sorted = templates.toSorted((a, b) => a.position - b.position);
  const twice = sorted.find(({ position }, i) => position === sorted[i + 1]?.position);
  if (twice !== undefined)
    throw new Error(`prompt_template: two messages have the position ${twice.position}`);
  if (sorted.length === 0)
    throw new Error("prompt_template: found no message, allowed at least one, such as user_1");
  return sorted;
}

/** Unlike a list of other objects, which a template writes as JSON. */
const isConversation = (cell: unknown): boolean =>
  isMessageList(cell) && cell.some((each) => isMapping(each) && "role" in each);

/** Builds the messages of a row's prompt. */
export type PromptTemplate = (row: Row) => readonly ChatMessage[];

/**
 * @param prompt_template Contents by `role_position`, such as
 *   `{ system_0: "Be brief.", user_1: "{question}" }`; `{{` and `}}` are escaped braces.
 * @param rows Rows that the template is used for.
 * @throws Error naming an invalid key, or a column that the rows do not have.
 */
export function compilePrompt(
  prompt_template: Readonly<Record<string, string>>,
  rows: readonly Row[],
): PromptTemplate {
  const templates = templatesOf(prompt_template);
  const columns = columnsOf(rows);
  for (const { role, position, content } of templates) {
    for (const [, column] of content.matchAll(PLACE)) {
      if (column === undefined) continue;
      if (rows.some((row) => isConversation(row[column])))
        throw new Error(
          `prompt_template.${role}_${position}: the column "${column}" has lists of messages, allowed texts; leave prompt_template out to use such a list as the prompt`,
        );
      if (columns.includes(column)) continue;
      throw new Error(
        `prompt_template.${role}_${position}: no column "${column}"; found: ${columns.join(", ")}; double literal braces`,
      );
    }
  }
  const fill = (content: string, row: Row): string =>
    content.replace(PLACE, (found, column?: string) =>
      column === undefined ? found.charAt(0) : cellText(row[column] ?? ""),
    );
  return (row) => templates.map(({ role, content }) => ({ role, content: fill(content, row) }));
}

/** Uses the messages of one column, or its text as the user's message. */
export const promptOf =
  (column: string): PromptTemplate =>
  (row) =>
    isMessageList(row[column])
      ? readMessages(row[column], "prompt", column)
      : [{ role: "user", content: textOf(row[column], column) }];
