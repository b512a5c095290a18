/** Cells that contain lists of messages, as TRL's conversational data sets have them. */
import { isMapping, show } from "../../specs/messages.ts";
import { type MessageForm, usesTemplate } from "../tokenizers/chatText.ts";
import { type ChatMessage, MESSAGE_ROLES } from "../tokenizers/Tokenizer.ts";
import { cellText, type Row } from "./rows.ts";

export { readTools, toolsOf, warnOfTools, withTools } from "./tools.ts";

/** Whether a cell is meant as messages rather than text. */
export const isMessageList = (cell: unknown): cell is readonly unknown[] =>
  Array.isArray(cell) && cell.every((each) => isMapping(each));

const ROLES: readonly unknown[] = MESSAGE_ROLES;

function messageOf(value: unknown, place: string): ChatMessage {
  if (!isMapping(value)) throw new Error(`${place}: found ${show(value)}, allowed { role, content }`);
  const { role, content } = value;
  if (!ROLES.includes(role)) {
    const keys = "role" in value ? "" : ` among the keys ${Object.keys(value).join(", ")}`;
    throw new Error(`${place}.role: found ${show(role)}${keys}, allowed ${ROLES.join(", ")}`);
  }
  const calls = value.tool_calls ?? [];
  const called = Array.isArray(calls) && calls.every((call) => isMapping(call));
  if (!called || (calls.length > 0 && role !== "assistant"))
    throw new Error(`${place}.tool_calls: found ${show(calls)}, allowed a list of the assistant's calls`);
  if (typeof content !== "string" && (calls.length === 0 || (content ?? null) !== null))
    throw new Error(
      `${place}.content: found ${show(content)}, allowed a text, or nothing beside tool_calls; parts and images are not supported`,
    );
  const weight = value.weight ?? 1;
  if (weight !== 0 && weight !== 1)
    throw new Error(`${place}.weight: found ${show(weight)}, allowed 0 and 1`);
  // Further keys are for the template. The others were checked above.
  return value as unknown as ChatMessage;
}

/** Where a list of messages stands in a conversation. */
export type MessagePlace = "prompt" | "answer" | "conversation";

const ORDER =
  "a system message only at the start, then user and assistant in turn, and tools after the assistant";

/** Whose message may follow one of a role. */
const NEXT: Readonly<Record<ChatMessage["role"], readonly ChatMessage["role"][]>> = {
  system: ["user"],
  user: ["assistant"],
  assistant: ["user", "tool"],
  tool: ["assistant", "tool"],
};

/**
 * Reads the messages of a cell: of a prompt, which ends with the user's or a tool's; of an answer to it, which begins and ends with
 * the assistant's; or of a whole conversation with at least one of the assistant's.
 * @throws Error naming the place of the first message that is invalid or out of order.
 */
export function readMessages(cell: unknown, part: MessagePlace, place: string): readonly ChatMessage[] {
  if (!Array.isArray(cell)) throw new Error(`${place}: found ${show(cell)}, allowed a list of messages`);
  const messages = cell.map((each: unknown, i) => messageOf(each, `${place}[${i}]`));
  let due: readonly ChatMessage["role"][] = [part === "answer" ? "assistant" : "user"];
  for (const [i, { role }] of messages.entries()) {
    if (!due.includes(role) && !(i === 0 && role === "system" && part !== "answer"))
      throw new Error(
        `${place}[${i}].role: found "${role}", allowed ${due.map((one) => `"${one}"`).join(" or ")} there: ${ORDER}`,
      );
    due = NEXT[role];
  }
  const last = messages.at(-1)?.role;
  if (part === "conversation") {
    if (messages.some(({ role, weight }) => role === "assistant" && weight !== 0)) return messages;
    throw new Error(`${place}: has no message of the assistant, so there is nothing to learn from`);
  }
  const ends: readonly unknown[] = part === "prompt" ? ["user", "tool"] : ["assistant"];
  if (ends.includes(last)) return messages;
  const found = last === undefined ? "no message" : `a last message of the role "${last}"`;
  throw new Error(`${place}: found ${found}, allowed a last message of the role "${ends.join('" or "')}"`);
}

/** @throws Error for a cell that is neither text nor a number or truth value, which stand for their text. */
export function textOf(cell: unknown, place: string): string {
  if (typeof cell !== "object" || cell === null) return cellText(cell ?? "");
  throw new Error(`${place}: found ${show(cell)}, allowed a text or a list of messages { role, content }`);
}

/**
 * Messages become text by the model's chat template only.
 * @param columns Columns that may contain messages.
 * @throws Error naming the first cell that contains messages, if the model has no template.
 */
export function requireTemplate(
  rows: readonly Row[],
  columns: readonly string[],
  form: Pick<MessageForm, "tokenizer" | "apply_chat_template">,
  place: string,
): void {
  if (usesTemplate(form)) return;
  for (const [i, row] of rows.entries()) {
    const column = columns.find((name) => isMessageList(row[name]));
    if (column === undefined) continue;
    const advice = form.apply_chat_template
      ? "the model has no chat template: name one in chat_template_path, or give texts"
      : "apply_chat_template is false: set it to true, or give texts";
    throw new Error(`${place}: row ${i + 1}: ${column}: found a list of messages, but ${advice}`);
  }
}
