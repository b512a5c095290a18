import { endTokens } from "./AbsentTokenizer.ts";
import { ChatTemplate } from "./ChatTemplate.ts";
import {
  type ChatMessage,
  type ChatTemplateOptions,
  type EncodeOptions,
  NO_SPECIAL_IDS,
  type SpecialIds,
  type Tokenizer,
} from "./Tokenizer.ts";

/** Replaces a tokenizer's chat template. */
export class TemplatedTokenizer implements Tokenizer {
  readonly has_chat_template = true;
  readonly #tokenizer: Tokenizer;
  readonly #template: ChatTemplate;

  /**
   * @param source Jinja source of the template.
   * @param place Names it in errors.
   */
  constructor(tokenizer: Tokenizer, source: string, place: string) {
    this.#tokenizer = tokenizer;
    this.#template = new ChatTemplate(source, this.special_tokens, place);
  }

  get vocab_size(): number {
    return this.#tokenizer.vocab_size;
  }

  get pad_token_id(): number {
    return this.#tokenizer.pad_token_id;
  }

  get eos_token_id(): number {
    return this.#tokenizer.eos_token_id;
  }

  get stop_token_ids(): readonly number[] {
    return endTokens(this.#tokenizer);
  }

  get special_tokens(): ReadonlyMap<string, string> {
    return this.#tokenizer.special_tokens ?? new Map();
  }

  get special_ids(): SpecialIds {
    return this.#tokenizer.special_ids ?? NO_SPECIAL_IDS;
  }

  encode(text: string, options?: EncodeOptions): Int32Array {
    return this.#tokenizer.encode(text, options);
  }

  decode(ids: ArrayLike<number>, options?: { readonly skip_special_tokens?: boolean }): string {
    return this.#tokenizer.decode(ids, options);
  }

  applyChatTemplate(messages: readonly ChatMessage[], options?: ChatTemplateOptions): string {
    return this.#template.render(messages, options);
  }

  assistantSpans(messages: readonly ChatMessage[], options?: ChatTemplateOptions) {
    return this.#template.assistantSpans(messages, options);
  }
}

/**
 * Applies the chat template file of a manifest, if it names one.
 * @param readText Reads the text of a file. Omit it where files cannot be read.
 * @throws Error naming the file if it cannot be read.
 */
export async function withTemplateOf(
  tokenizer: Tokenizer,
  { chat_template_path: path }: { readonly chat_template_path: string | null },
  readText?: (path: string) => string | PromiseLike<string>,
): Promise<Tokenizer> {
  if (path === null) return tokenizer;
  if (readText === undefined)
    throw new Error(`chat_template_path: found "${path}"; files cannot be read here`);
  return new TemplatedTokenizer(tokenizer, await readText(path), path);
}
