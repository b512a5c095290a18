import { SpecError } from "../../specs/checks.ts";
import type { ChatTemplate } from "./ChatTemplate.ts";
import { type AddedToken, AddedTokens } from "./parts/addedTokens.ts";
import { cleanedUp } from "./parts/decoders.ts";
import { TokenizerPipeline } from "./parts/TokenizerPipeline.ts";
import {
  type ChatMessage,
  type ChatTemplateOptions,
  type EncodeOptions,
  NO_SPECIAL_IDS,
  type SpecialIds,
  type Tokenizer,
} from "./Tokenizer.ts";
import type { TokenizerConfig, TokenizerFile } from "./tokenizerFiles.ts";

interface Parts {
  readonly file: TokenizerFile;
  readonly config: TokenizerConfig;
  /** Special tokens by role. */
  readonly tokens: ReadonlyMap<string, string>;
  readonly template: ChatTemplate | null;
  /** Ids that end a completion, besides the end token. */
  readonly stops: readonly number[];
  /** Path of the config for errors. */
  readonly place: string;
}

/** A Hugging Face tokenizer, compatible with the files of the Python library. */
export class HuggingFaceTokenizer implements Tokenizer {
  readonly vocab_size: number;
  readonly pad_token_id: number;
  readonly eos_token_id: number;
  readonly stop_token_ids: readonly number[];
  readonly special_tokens: ReadonlyMap<string, string>;
  readonly special_ids: SpecialIds;
  readonly #pipeline: TokenizerPipeline;
  readonly #cleans: boolean;
  readonly #template: ChatTemplate | null;
  readonly #place: string;

  /** @throws SpecError if the end token is missing or not in the vocabulary. */
  constructor({ file, config, tokens, template, stops, place }: Parts) {
    const { model, pre_tokenizer = null, decoder = null, normalizer = null } = file;
    const added = new AddedTokens(declared(file, config, tokens), model.ids, normalizer);
    this.#pipeline = new TokenizerPipeline({ added, pre_tokenizer, model, decoder });
    this.#cleans =
      config.clean_up_tokenization_spaces === true &&
      (!model.isBpe ||
        config.clean_up_tokenization_spaces_for_bpe_even_though_it_will_corrupt_output === true);
    this.special_ids = file.post_processor ?? NO_SPECIAL_IDS;
    this.special_tokens = tokens;
    this.#template = template;
    this.#place = place;
    this.vocab_size = this.#pipeline.size;
    this.eos_token_id = this.#idOf("eos_token", tokens);
    this.stop_token_ids = [...new Set([this.eos_token_id, ...stops])];
    this.pad_token_id = tokens.has("pad_token") ? this.#idOf("pad_token", tokens) : this.eos_token_id;
  }

  get has_chat_template(): boolean {
    return this.#template !== null;
  }

  /** @throws Error for text without a token, if the tokenizer has no token for unknown text. */
  encode(text: string, { add_special_tokens = false }: EncodeOptions = {}): Int32Array {
    const { before, after } = add_special_tokens ? this.special_ids : NO_SPECIAL_IDS;
    return Int32Array.from([...before, ...this.#pipeline.encode(text), ...after]);
  }

  /** Ids without a token are ignored; a model's vocabulary may be larger than the tokenizer's. */
  decode(
    ids: ArrayLike<number>,
    { skip_special_tokens = true }: { readonly skip_special_tokens?: boolean } = {},
  ): string {
    const text = this.#pipeline.decode(Array.from(ids), skip_special_tokens);
    return this.#cleans ? cleanedUp(text) : text;
  }

  applyChatTemplate(messages: readonly ChatMessage[], options?: ChatTemplateOptions): string {
    if (this.#template === null) {
      throw new Error(
        `${this.#place}: chat_template: missing; set apply_chat_template to false, or use a model that was trained to chat`,
      );
    }
    return this.#template.render(messages, options);
  }

  assistantSpans(messages: readonly ChatMessage[], options?: ChatTemplateOptions) {
    return this.#template?.assistantSpans(messages, options) ?? null;
  }

  #idOf(role: "eos_token" | "pad_token", tokens: ReadonlyMap<string, string>): number {
    const token = tokens.get(role);
    const id = token === undefined ? undefined : this.#pipeline.idOf(token);
    if (id !== undefined) return id;
    const found = token === undefined ? "missing" : `found ${JSON.stringify(token)}, which is not a token`;
    const message = `${found}; expected a token of the vocabulary`;
    const code = token === undefined ? "missing" : "value";
    throw new SpecError([{ code, path: role, segments: [role], message }], this.#place);
  }
}

/**
 * The file's added tokens, plus those that only the config declares, as in transformers. Of tokens that the file does not
 * know, none is added.
 */
function declared(
  { added_tokens, model }: TokenizerFile,
  config: TokenizerConfig,
  tokens: ReadonlyMap<string, string>,
): readonly AddedToken[] {
  const listed = new Map<string, AddedToken>(added_tokens.map((token) => [token.content, token]));
  const isKnown = (content: string): boolean => listed.has(content) || model.ids.has(content);
  const again = Object.values(config.added_tokens_decoder ?? {}).filter(({ content }) => isKnown(content));
  for (const token of again) listed.set(token.content, token);
  const extra = [config.additional_special_tokens ?? [], Object.values(config.extra_special_tokens ?? {})];
  const special = [...tokens.values(), ...extra.flat()].filter(
    (content): content is string =>
      typeof content === "string" && isKnown(content) && listed.get(content)?.special !== true,
  );
  const plain = { single_word: false, lstrip: false, rstrip: false, normalized: false };
  const named = [...new Set(special)].map((content) => ({
    ...plain,
    ...listed.get(content),
    content,
    special: true,
  }));
  return [...added_tokens, ...again, ...named];
}
