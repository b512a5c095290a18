import { Tokenizer as Library } from "@huggingface/tokenizers";
import { SpecError } from "../../specs/checks.ts";
import { reasonOf } from "../../storage/files.ts";
import { StorageError } from "../../storage/index.ts";
import type { ChatTemplate } from "./ChatTemplate.ts";
import {
  type ChatMessage,
  type ChatTemplateOptions,
  type EncodeOptions,
  type SpecialIds,
  specialIdsOf,
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
  /** Paths of both files for errors. */
  readonly places: { readonly file: string; readonly config: string };
}

/** A Hugging Face tokenizer, compatible with the files of the Python library. */
export class HuggingFaceTokenizer implements Tokenizer {
  readonly vocab_size: number;
  readonly pad_token_id: number;
  readonly eos_token_id: number;
  readonly stop_token_ids: readonly number[];
  readonly special_tokens: ReadonlyMap<string, string>;
  readonly special_ids: SpecialIds;
  readonly #library: Library;
  readonly #template: ChatTemplate | null;
  readonly #place: string;

  /**
   * @throws StorageError `corrupt` for a file that the library cannot read. SpecError if the end token is
   *   missing or not in the vocabulary.
   */
  constructor({ file, config, tokens, template, stops, places }: Parts) {
    [this.#library, this.special_ids] = readable(places.file, () => [
      library(file, config, tokens),
      specialIdsOf(file.post_processor),
    ]);
    this.special_tokens = tokens;
    this.#template = template;
    this.#place = places.config;
    let last = -1;
    for (const id of this.#library.get_vocab().values()) last = Math.max(last, id);
    this.vocab_size = last + 1;
    this.eos_token_id = this.#idOf("eos_token", tokens);
    this.stop_token_ids = [...new Set([this.eos_token_id, ...stops])];
    this.pad_token_id = tokens.has("pad_token") ? this.#idOf("pad_token", tokens) : this.eos_token_id;
  }

  get has_chat_template(): boolean {
    return this.#template !== null;
  }

  /** @throws Error for text without a token, if the tokenizer has no token for unknown text. */
  encode(text: string, { add_special_tokens = false }: EncodeOptions = {}): Int32Array {
    const { ids, tokens } = this.#library.encode(text, { add_special_tokens: false });
    const unknown = ids.findIndex((id) => !Number.isInteger(id));
    if (unknown >= 0) {
      const found = JSON.stringify(tokens[unknown]);
      throw new Error(`text: found ${found}, for which the tokenizer has no token and no unk_token`);
    }
    if (!add_special_tokens) return Int32Array.from(ids);
    const { before, after } = this.special_ids;
    return Int32Array.from([...before, ...ids, ...after]);
  }

  /** Ids without a token are ignored; a model's vocabulary may be larger than the tokenizer's. */
  decode(
    ids: ArrayLike<number>,
    { skip_special_tokens = true }: { readonly skip_special_tokens?: boolean } = {},
  ): string {
    const known = Array.from(ids).filter((id) => this.#library.id_to_token(id) !== undefined);
    // The library rejects an empty list.
    return known.length === 0 ? "" : this.#library.decode(known, { skip_special_tokens });
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
    const id = token === undefined ? undefined : this.#library.token_to_id(token);
    if (id !== undefined) return id;
    const found = token === undefined ? "missing" : `found ${JSON.stringify(token)}, which is not a token`;
    const message = `${found}; expected a token of the vocabulary`;
    const code = token === undefined ? "missing" : "value";
    throw new SpecError([{ code, path: role, segments: [role], message }], this.#place);
  }
}

function readable<T>(place: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new StorageError("corrupt", place, `does not describe a supported tokenizer: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

function library(file: TokenizerFile, config: TokenizerConfig, tokens: ReadonlyMap<string, string>): Library {
  // By default, this library cleans up spaces, but Python's does not.
  const settings = { ...config, clean_up_tokenization_spaces: config.clean_up_tokenization_spaces ?? false };
  const made = new Library(file, settings);
  const added = withSpecial(file, tokens, made);
  return added === null ? made : new Library({ ...file, added_tokens: added }, settings);
}

/**
 * The file's added tokens, plus those that only the config declares special, as in transformers; `null` if
 * the file already has them all.
 */
function withSpecial(
  { added_tokens }: TokenizerFile,
  tokens: ReadonlyMap<string, string>,
  made: Library,
): TokenizerFile["added_tokens"] | null {
  const special = new Set(added_tokens.filter((token) => token.special).map(({ content }) => content));
  const named = new Set([...tokens.values()].filter((token) => !special.has(token)));
  if (named.size === 0) return null;
  const kept = added_tokens.map((token) => (named.has(token.content) ? { ...token, special: true } : token));
  const listed = new Set(added_tokens.map(({ content }) => content));
  const further = [...named].flatMap((content) => {
    const id = made.token_to_id(content);
    return id === undefined || listed.has(content) ? [] : [{ id, content, special: true }];
  });
  return [...kept, ...further];
}
