/** The column `tools` of a row: JSON schemas of the tools that the assistant may call, for the chat template. */
import { isMapping, show } from "../../specs/messages.ts";
import { reasonOf } from "../../storage/files.ts";
import { type MessageForm, render, usesTemplate } from "../tokenizers/chatText.ts";
import type { Row } from "./rows.ts";

/**
 * A list of JSON schemas, or its JSON, as TRL reads the column; `null` for none.
 * @throws Error naming the place of anything else.
 */
export function readTools(cell: unknown, place: string): readonly object[] | null {
  let tools = cell ?? null;
  if (typeof tools === "string")
    try {
      tools = JSON.parse(tools) ?? null;
    } catch (error) {
      throw new Error(`${place}: found a text that is not JSON (${reasonOf(error)}), allowed JSON schemas`);
    }
  if (tools === null || (Array.isArray(tools) && tools.length === 0)) return null;
  if (Array.isArray(tools) && tools.every((tool) => isMapping(tool))) return tools;
  throw new Error(`${place}: found ${show(cell)}, allowed a list of JSON schemas, or its JSON`);
}

/** The cell with a row's tools; none where a prompt template has the column as text. */
const toolsCell = (row: Row, prompt_template: PromptTexts): unknown =>
  Object.values(prompt_template ?? {}).some((text) => text.includes("{tools}")) ? null : row.tools;

type PromptTexts = Readonly<Record<string, string>> | null;

/** A row's tools. @throws Error naming the column, if it has anything else. */
export const toolsOf = (row: Row, prompt_template: PromptTexts): readonly object[] | null =>
  readTools(toolsCell(row, prompt_template), "tools");

/** The form of messages with tools. `tools` of `chat_template_kwargs` has precedence. */
export const withTools = <F extends MessageForm>(form: F, tools: readonly object[] | null): F =>
  tools === null ? form : { ...form, chat_template_kwargs: { tools, ...form.chat_template_kwargs } };

/** Some templates write tools into the system's message, and others refuse such a message. */
const PROBES = [
  [{ role: "user", content: "a" }],
  [
    { role: "system", content: "b" },
    { role: "user", content: "a" },
  ],
] as const;

/** Whether a form writes tools; one that fails is reported with the row that it is for. */
function writesTools(form: MessageForm, tools: readonly object[]): boolean {
  return PROBES.some((messages) => {
    try {
      return render(form, messages, false) !== render(withTools(form, tools), messages, false);
    } catch {
      return false;
    }
  });
}

/** Warns if the first row's tools have no effect: without a template, or with one that does not write them. */
export function warnOfTools(
  rows: readonly Row[],
  form: MessageForm,
  prompt_template: PromptTexts,
  place: string,
): void {
  for (const [i, row] of rows.entries()) {
    const tools = toolsOrNull(toolsCell(row, prompt_template));
    if (tools === null) continue;
    const templated = usesTemplate(form);
    if (templated && writesTools(form, tools)) return;
    const why = templated ? "the chat template does not write them" : "no chat template is used";
    console.warn(`rlkit: ${place}: row ${i + 1}: tools: have no effect, since ${why}`);
    return;
  }
}

/** As {@link readTools}; `null` for a cell that cannot be read, which its row reports. */
function toolsOrNull(cell: unknown): readonly object[] | null {
  try {
    return readTools(cell, "tools");
  } catch {
    return null;
  }
}
