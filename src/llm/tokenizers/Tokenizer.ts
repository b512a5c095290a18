/** Text to token ids and back, behind one interface. */

/** One message of a conversation. */
export interface ChatMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

export interface ChatTemplateOptions {
  /** Ends with what opens the assistant's next message. */
  readonly add_generation_prompt?: boolean;
  /** Further variables of the template. */
  readonly kwargs?: Readonly<Record<string, unknown>>;
}

export interface Tokenizer {
  /** Ids are 0 to `vocab_size` - 1. */
  readonly vocab_size: number;
  readonly pad_token_id: number;
  readonly eos_token_id: number;
  /** Texts of special tokens by their role, such as `eos_token`, which chat templates have as variables. */
  readonly special_tokens?: ReadonlyMap<string, string>;
  /** The ids of a text, without special tokens of the tokenizer's own; those that stand in the text are read. */
  encode(text: string): Int32Array;
  /** The text of ids; special tokens are left out unless `skip_special_tokens` is false. */
  decode(ids: ArrayLike<number>, options?: { readonly skip_special_tokens?: boolean }): string;
  /** Whether the model has a chat template. */
  readonly has_chat_template: boolean;
  /**
   * A conversation in the model's chat form.
   * @throws Error where there is no template, or the template fails, with its reason.
   */
  applyChatTemplate(messages: readonly ChatMessage[], options?: ChatTemplateOptions): string;
}
