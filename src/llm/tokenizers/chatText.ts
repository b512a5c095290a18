/** Texts of a conversation, piece by piece, so that each piece is encoded by itself and earlier ids never change. */
import type { ChatMessage, Tokenizer } from "./Tokenizer.ts";

/** How messages are written. */
export interface MessageForm {
  readonly tokenizer: Tokenizer;
  /** False writes contents alone, as does a tokenizer without template. */
  readonly apply_chat_template: boolean;
  readonly chat_template_kwargs: Readonly<Record<string, unknown>>;
}

/** How a conversation of several turns is written. */
export interface ChatForm extends MessageForm {
  /** Refuses templates that cannot be cut behind the model's message; otherwise such turns are written as ChatML. */
  readonly strict_chat_template_boundary: boolean;
}

const usesTemplate = ({ apply_chat_template, tokenizer }: MessageForm): boolean =>
  apply_chat_template && tokenizer.has_chat_template;

const render = ({ tokenizer, chat_template_kwargs }: MessageForm, messages: readonly ChatMessage[]): string =>
  tokenizer.applyChatTemplate(messages, { add_generation_prompt: true, kwargs: chat_template_kwargs });

/** The text before the model's first message. */
export function openingText(form: MessageForm, messages: readonly ChatMessage[]): string {
  if (usesTemplate(form)) return render(form, messages);
  return messages.map(({ content }) => content).join("\n");
}

/** Stands for the model's message where a template is cut. */
const MARK = "\u2063rlkit-message\u2063";

/**
 * The text between the model's last message and its next.
 *
 * @param messages The conversation up to the model's last message, which stands at the end.
 * @throws Error where the template does not give the model's message once and the observation after it, and the form
 *   is strict.
 */
export function feedbackText(form: ChatForm, messages: readonly ChatMessage[], observation: string): string {
  if (!usesTemplate(form)) return observation;
  const marked: ChatMessage[] = [
    ...messages.slice(0, -1),
    { role: "assistant", content: MARK },
    { role: "user", content: observation },
  ];
  const [, after, ...others] = render(form, marked).split(MARK);
  if (after !== undefined && others.length === 0 && after.includes(observation.trim())) return after;
  if (form.strict_chat_template_boundary)
    throw new Error(
      "chat template: does not split at the model's message, so that a turn cannot be appended to it; " +
        "give another template, or set strict_chat_template_boundary to false for turns in ChatML",
    );
  return `<|im_end|>\n<|im_start|>user\n${observation}<|im_end|>\n<|im_start|>assistant\n`;
}

/** Whether an id is one of the tokens that texts of messages do not have. */
export const isSpecialToken = (tokenizer: Tokenizer, id: number): boolean =>
  tokenizer.decode([id]) === "" && tokenizer.decode([id], { skip_special_tokens: false }) !== "";

/**
 * The ids between the model's last message and its next: a special token that ends the message and that the model
 * wrote already is left out.
 *
 * @param last The id that the model wrote last.
 */
export function feedbackIds({ tokenizer }: MessageForm, text: string, last: number): Int32Array {
  const ids = tokenizer.encode(text);
  return ids[0] === last && isSpecialToken(tokenizer, last) ? ids.subarray(1) : ids;
}
