/**
 * The interface of tokenizers, which convert between text and token ids, and the ids that they put around raw text.
 */
export interface SpecialIds {
  /** Ids before a text, such as a start token. */
  readonly before: readonly number[];
  /** Ids after a text, such as an end token. */
  readonly after: readonly number[];
}

export const NO_SPECIAL_IDS: SpecialIds = { before: [], after: [] };

/** Who writes messages; a tool's follow the assistant's calls. */
export const MESSAGE_ROLES = ["system", "user", "assistant", "tool"] as const;

/** One message of a conversation. Templates read further keys, too. */
export interface ChatMessage {
  readonly role: (typeof MESSAGE_ROLES)[number];
  /** May be missing beside `tool_calls`. */
  readonly content?: string | null;
  /** The assistant's calls of tools, such as `{ type: "function", function: { name, arguments } }`. */
  readonly tool_calls?: readonly object[] | null;
  /** 0 for a message of the assistant that is not learnt (default: 1). */
  readonly weight?: 0 | 1 | null;
}

export interface ChatTemplateOptions {
  /** Whether the text ends with the start of the assistant's next message. */
  readonly add_generation_prompt?: boolean;
  /** Additional variables for the template. */
  readonly kwargs?: Readonly<Record<string, unknown>>;
}

export interface EncodeOptions {
  /** Whether to add {@link Tokenizer.special_ids}, as transformers does by default (default: false). */
  readonly add_special_tokens?: boolean;
}

export interface Tokenizer {
  /** Ids are 0 to `vocab_size` - 1. */
  readonly vocab_size: number;
  readonly pad_token_id: number;
  readonly eos_token_id: number;
  /** Ids that end a completion (default: `eos_token_id` alone). */
  readonly stop_token_ids?: readonly number[];
  /** Texts of special tokens by role, such as `eos_token`, which chat templates can use as variables. */
  readonly special_tokens?: ReadonlyMap<string, string>;
  /**
   * Ids that belong around raw text (default: none). Prompts without a chat template start with the ids
   * before a text.
   */
  readonly special_ids?: SpecialIds;
  /** The ids of a text. Special tokens that are in the text are recognised. */
  encode(text: string, options?: EncodeOptions): Int32Array;
  /** The text of ids, without special tokens unless `skip_special_tokens` is false. */
  decode(ids: ArrayLike<number>, options?: { readonly skip_special_tokens?: boolean }): string;
  /** Whether the model has a chat template. */
  readonly has_chat_template: boolean;
  /**
   * Formats a conversation with the model's chat template.
   * @throws Error if there is no template, or the template fails, with the reason.
   */
  applyChatTemplate(messages: readonly ChatMessage[], options?: ChatTemplateOptions): string;
  /**
   * Start and end of the assistant's parts of {@link applyChatTemplate}'s text, which a template marks with
   * `{% generation %}`; `null` if the template marks none.
   */
  assistantSpans?(
    messages: readonly ChatMessage[],
    options?: ChatTemplateOptions,
  ): readonly (readonly [start: number, end: number])[] | null;
}
