/**
 * The interface of tokenizers, which convert between text and token ids, and the ids that they put around raw text.
 */
import { z } from "zod";

export interface SpecialIds {
  /** Ids before a text, such as a start token. */
  readonly before: readonly number[];
  /** Ids after a text, such as an end token. */
  readonly after: readonly number[];
}

export const NO_SPECIAL_IDS: SpecialIds = { before: [], after: [] };

const piece = z.union([
  z.object({ SpecialToken: z.object({ id: z.string() }) }),
  z.object({ Sequence: z.object({ id: z.string() }) }),
]);

const template = z.object({
  type: z.literal("TemplateProcessing"),
  single: z.array(piece).refine((pieces) => pieces.some((each) => "Sequence" in each), "has no text"),
  special_tokens: z.record(z.string(), z.object({ ids: z.array(z.int().nonnegative()) })),
});

const token = z.tuple([z.string(), z.int().nonnegative()]);

const framed = z.object({
  type: z.enum(["BertProcessing", "RobertaProcessing"]),
  cls: token,
  sep: token,
});

const sequence = z.object({ type: z.literal("Sequence"), processors: z.array(z.unknown()) });

/** Changes offsets only. */
const offsets = z.object({ type: z.literal("ByteLevel") });

const postProcessor = z.discriminatedUnion("type", [template, framed, sequence, offsets]).nullish();

/** @throws Error for a post-processor that is not supported. */
export function specialIdsOf(content: unknown): SpecialIds {
  const found = postProcessor.parse(content);
  switch (found?.type) {
    case "TemplateProcessing":
      return idsOfTemplate(found);
    case "BertProcessing":
    case "RobertaProcessing":
      return { before: [found.cls[1]], after: [found.sep[1]] };
    case "Sequence":
      // The others change offsets; several that add ids would treat those as a second text.
      return found.processors.map(specialIdsOf).find(addsIds) ?? NO_SPECIAL_IDS;
    default:
      return NO_SPECIAL_IDS;
  }
}

const addsIds = ({ before, after }: SpecialIds): boolean => before.length + after.length > 0;

function idsOfTemplate({ single, special_tokens }: z.output<typeof template>): SpecialIds {
  const text = single.findIndex((each) => "Sequence" in each);
  const ids = (pieces: typeof single): readonly number[] =>
    pieces.flatMap((each) => ("SpecialToken" in each ? idsOf(each.SpecialToken.id) : []));
  const idsOf = (name: string): readonly number[] => {
    const found = special_tokens[name];
    if (found) return found.ids;
    throw new Error(`post_processor: special_tokens has no ${JSON.stringify(name)}`);
  };
  return { before: ids(single.slice(0, text)), after: ids(single.slice(text)) };
}

/** One message of a conversation. */
export interface ChatMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
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
