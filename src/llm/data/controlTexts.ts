import { isSpecialToken } from "../tokenizers/chatText.ts";
import type { Tokenizer } from "../tokenizers/Tokenizer.ts";
import type { Example } from "./examples.ts";
import type { Row } from "./rows.ts";

/** Whether a text is somewhere in a cell. */
const holds = (cell: unknown, text: string): boolean =>
  typeof cell === "string"
    ? cell.includes(text)
    : typeof cell === "object" && cell !== null && Object.values(cell).some((inner) => holds(inner, text));

/**
 * Rows whose own cells contain the text of a special token, such as "<|im_end|>": it becomes that token, as in transformers.
 * @returns Their number, and the first with the text.
 */
export function controlTexts(rows: readonly Row[], examples: readonly Example[], tokenizer: Tokenizer) {
  const ids = new Set<number>();
  for (const { prompt, answers } of examples)
    for (const list of [prompt, ...answers]) for (const id of list) ids.add(id);
  const texts = [...ids]
    .filter((id) => isSpecialToken(tokenizer, id))
    .map((id) => tokenizer.decode([id], { skip_special_tokens: false }).trim())
    .filter((text) => text !== "");
  const found = rows.flatMap((row, i) => {
    const text = texts.find((one) => holds(row, one));
    return text === undefined ? [] : [`row ${i + 1}: ${JSON.stringify(text)}`];
  });
  return { count: found.length, first: found[0] ?? "" };
}
