/** Formats a conversation in pieces, so that each is encoded separately and earlier ids never change. */
import type { ChatMessage, Tokenizer } from "./Tokenizer.ts";

/** How to format messages. */
export interface MessageForm {
  readonly tokenizer: Tokenizer;
  /** If `false`, or without a template, only the contents are written. */
  readonly apply_chat_template: boolean;
  readonly chat_template_kwargs: Readonly<Record<string, unknown>>;
}

/** How to format a conversation of several turns. */
export interface ChatForm extends MessageForm {
  /**
   * Whether to reject templates that cannot be split after the model's message; otherwise such
   * turns are written as ChatML.
   */
  readonly strict_chat_template_boundary: boolean;
}

export const usesTemplate = ({
  apply_chat_template,
  tokenizer,
}: Pick<MessageForm, "tokenizer" | "apply_chat_template">): boolean =>
  apply_chat_template && tokenizer.has_chat_template;

/** A conversation as text. @param add_generation_prompt Whether the assistant's next message follows. */
export const render = (
  { tokenizer, chat_template_kwargs: kwargs }: MessageForm,
  messages: readonly ChatMessage[],
  add_generation_prompt: boolean,
): string => tokenizer.applyChatTemplate(messages, { add_generation_prompt, kwargs });

/**
 * The ids before the model's first message. Templates write special tokens themselves; raw text gets those
 * that the tokenizer puts before a text.
 */
export function openingIds(form: MessageForm, messages: readonly ChatMessage[]): Int32Array {
  const { tokenizer } = form;
  if (usesTemplate(form)) return tokenizer.encode(render(form, messages, true));
  const text = messages.map(({ content }) => content ?? "").join("\n");
  return Int32Array.from([...(tokenizer.special_ids?.before ?? []), ...tokenizer.encode(text)]);
}

/**
 * The ids of the model's last message. It ends with the end token; raw text before that with the tokens that
 * the tokenizer puts after a text.
 */
export function answerIds(form: MessageForm, text: string): readonly number[] {
  const { tokenizer } = form;
  const after = usesTemplate(form) ? [] : (tokenizer.special_ids?.after ?? []);
  const end = after.at(-1) === tokenizer.eos_token_id ? [] : [tokenizer.eos_token_id];
  return [...tokenizer.encode(text), ...after, ...end];
}

/** Placeholder for the model's message, at which a formatted conversation is split. */
const MARK = "\u2063rlkit-message\u2063";

/**
 * The text between the model's last message and its next.
 *
 * @param messages The conversation up to and including the model's last message.
 * @throws Error if the form is strict and the template does not output the model's message exactly once,
 *   followed by the observation.
 * @internal
 */
export function feedbackText(form: ChatForm, messages: readonly ChatMessage[], observation: string): string {
  if (!usesTemplate(form)) return observation;
  const marked: ChatMessage[] = [
    ...messages.slice(0, -1),
    { role: "assistant", content: MARK },
    { role: "user", content: observation },
  ];
  const [, after, ...others] = render(form, marked, true).split(MARK);
  if (after !== undefined && others.length === 0 && after.includes(observation.trim())) return after;
  if (form.strict_chat_template_boundary)
    throw new Error(
      "chat template: cannot be split at the model's message, so no turn can be appended; " +
        "give another template, or set strict_chat_template_boundary to false for turns in ChatML",
    );
  return `<|im_end|>\n<|im_start|>user\n${observation}<|im_end|>\n<|im_start|>assistant\n`;
}

/** Whether an id is a special token, which does not occur in the text of messages. */
export const isSpecialToken = (tokenizer: Tokenizer, id: number): boolean =>
  tokenizer.decode([id]) === "" && tokenizer.decode([id], { skip_special_tokens: false }) !== "";

/**
 * The ids between the model's last message and its next. A special token that ends the message is left out if
 * the model has already generated it.
 *
 * @param last The last id that the model generated.
 * @internal
 */
export function feedbackIds({ tokenizer }: MessageForm, text: string, last: number): Int32Array {
  const ids = tokenizer.encode(text);
  return ids[0] === last && isSpecialToken(tokenizer, last) ? ids.subarray(1) : ids;
}
