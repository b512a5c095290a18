/** The ids of whole conversations, and which of them the assistant wrote. */
import { type MessageForm, render } from "./chatText.ts";
import type { ChatMessage, Tokenizer } from "./Tokenizer.ts";

export interface ConversationIds {
  /** Ids up to the end of the assistant's last message. */
  readonly ids: Int32Array;
  /** 1 for ids that the assistant wrote. */
  readonly own: Uint8Array;
}

/** Start (inclusive) and end (exclusive) of a part of a text or a list. */
type Span = readonly [start: number, end: number];

function commonPrefix(a: ArrayLike<unknown>, b: ArrayLike<unknown>): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}

/** The text of the token that ends a turn. */
const endText = (tokenizer: Tokenizer): string =>
  tokenizer.decode([tokenizer.eos_token_id], { skip_special_tokens: false });

/** An answer up to its last end token, since what templates write behind that belongs to no one. */
function answerSpan(tokenizer: Tokenizer, text: string, [start, end]: Span): Span {
  const mark = endText(tokenizer);
  const at = text.slice(start, end).lastIndexOf(mark);
  return [start, at < 0 ? end : start + at + mark.length];
}

/**
 * The place in a text at which the answer to some messages begins.
 * @throws Error if the template writes those messages differently once they are answered.
 */
function answerStart(form: MessageForm, text: string, messages: readonly ChatMessage[]): number {
  const opening = render(form, messages, true);
  if (text.startsWith(opening)) return opening.length;
  // Some templates open an answer otherwise while it is yet to be written, for example with <think>.
  const start = commonPrefix(opening, text);
  if (start >= render(form, messages, false).length) return start;
  throw changed(messages.length);
}

const changed = (count: number): Error =>
  new Error(
    `chat template: writes the first ${count} messages differently once others follow, so the assistant's tokens cannot be found; ` +
      "name a template that marks them with {% generation %} in chat_template_path",
  );

/** Number of ids before each place of a text, which is encoded as a whole. */
function encodeAt(tokenizer: Tokenizer, text: string, cuts: readonly number[]) {
  const ids = tokenizer.encode(text);
  const pieces = cuts.map((cut, i) => tokenizer.encode(text.slice(cuts[i - 1] ?? 0, cut)));
  pieces.push(tokenizer.encode(text.slice(cuts.at(-1) ?? 0)));
  const joined = pieces.flatMap((piece) => Array.from(piece));
  if (joined.length === ids.length && commonPrefix(joined, ids) === ids.length) {
    let count = 0;
    return { ids, before: cuts.map((_, i) => (count += pieces[i]?.length ?? 0)) };
  }
  // A token joins what stands before and behind a cut; it belongs to the part behind.
  return { ids, before: cuts.map((cut) => commonPrefix(tokenizer.encode(text.slice(0, cut)), ids)) };
}

function ownIds(tokenizer: Tokenizer, text: string, spans: readonly Span[]): ConversationIds {
  const end = spans.at(-1)?.[1] ?? text.length;
  const { ids, before } = encodeAt(tokenizer, text.slice(0, end), spans.flat().slice(0, -1));
  const own = new Uint8Array(ids.length);
  for (let i = 0; i < before.length; i += 2) own.fill(1, before[i], before[i + 1] ?? ids.length);
  return { ids, own };
}

/**
 * The ids of a prompt and an answer of one or more messages. Everything behind the prompt counts as the answer.
 * @throws Error if the template writes the prompt differently once there is an answer, and for a weight of 0.
 */
export function answeredIds(
  form: MessageForm,
  prompt: readonly ChatMessage[],
  answer: readonly ChatMessage[],
): ConversationIds {
  if (answer.some(({ weight }) => weight === 0))
    throw new Error(
      "weight: found 0 in an answer, all of which is learnt; give the conversation as messages",
    );
  const text = render(form, [...prompt, ...answer], false);
  const start = answerStart(form, text, prompt);
  return ownIds(form.tokenizer, text, [answerSpan(form.tokenizer, text, [start, text.length])]);
}

/**
 * The ids of a conversation. The assistant's are those within `{% generation %}` if the template has it, else those that
 * each of its messages adds to the text before; those of messages with a weight of 0 do not count.
 * @throws Error if the text of earlier messages depends on later ones in such a way that the assistant's cannot be found.
 */
export function conversationIds(form: MessageForm, messages: readonly ChatMessage[]): ConversationIds {
  const text = render(form, messages, false);
  const { tokenizer, chat_template_kwargs: kwargs } = form;
  const marked = tokenizer.assistantSpans?.(messages, { kwargs }) ?? null;
  const spans = marked === null ? spansByPrefix(form, text, messages) : weighted(marked, messages);
  if (spans.length > 0) return ownIds(tokenizer, text, spans);
  throw new Error("chat template: writes no message of the assistant within {% generation %}");
}

/** The marked parts of messages that are learnt. */
function weighted(marked: readonly Span[], messages: readonly ChatMessage[]): readonly Span[] {
  const own = messages.filter(({ role }) => role === "assistant");
  if (own.every(({ weight }) => weight !== 0)) return marked;
  if (marked.length === own.length) return marked.filter((_, i) => own[i]?.weight !== 0);
  throw new Error(
    `chat template: has ${marked.length} parts within {% generation %} for ${own.length} messages of the assistant, so that a weight of 0 finds none of them`,
  );
}

function spansByPrefix(form: MessageForm, text: string, messages: readonly ChatMessage[]): Span[] {
  return messages.flatMap((message, i): Span[] => {
    if (message.role !== "assistant" || message.weight === 0) return [];
    const start = answerStart(form, text, messages.slice(0, i));
    const closed = render(form, messages.slice(0, i + 1), false);
    if (text.startsWith(closed)) return [answerSpan(form.tokenizer, text, [start, closed.length])];
    // Templates that shorten earlier answers, such as by their thoughts, still end them with the end token.
    const mark = endText(form.tokenizer);
    const end = mark === "" ? -1 : text.indexOf(mark, start);
    if (end >= 0 && end < nextStart(form, text, messages, i, start)) return [[start, end + mark.length]];
    // Others end only the last message, and write this one as it is.
    const content = (message.content ?? "").trim();
    const at = text.indexOf(content, start);
    const isWhole = content !== "" && (message.tool_calls ?? []).length === 0;
    if (!isWhole || at < 0 || text.slice(start, at).trim() !== "") throw changed(i + 1);
    return [[start, at + content.length]];
  });
}

/** A place behind the answer of message `i`, which begins at `start`: in the next answer, or in the message behind it. */
function nextStart(
  form: MessageForm,
  text: string,
  messages: readonly ChatMessage[],
  i: number,
  start: number,
): number {
  const next = messages.findIndex(({ role }, j) => j > i && role === "assistant");
  if (next >= 0) return answerStart(form, text, messages.slice(0, next));
  const at = text.indexOf((messages[i + 1]?.content ?? "").trim(), start + 1);
  return at < 0 ? text.length : at;
}
