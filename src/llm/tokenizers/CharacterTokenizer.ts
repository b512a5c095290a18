import { jsonBytes } from "../files/Folder.ts";
import type { Tokenizer } from "./Tokenizer.ts";

/** Texts of the tokens that are not characters. */
const PAD = "<pad>";
const EOS = "<eos>";

/**
 * One token per character, in the given order. The two ids after them are padding and the end of a sequence.
 */
export class CharacterTokenizer implements Tokenizer {
  readonly vocab_size: number;
  readonly pad_token_id: number;
  readonly eos_token_id: number;
  readonly has_chat_template = false;
  readonly special_tokens = new Map([
    ["pad_token", PAD],
    ["eos_token", EOS],
  ]);
  readonly #tokens: readonly string[];
  readonly #ids: ReadonlyMap<string, number>;

  /** @param characters All supported characters, without duplicates. */
  constructor(characters: string) {
    this.#tokens = [...Array.from(characters), PAD, EOS];
    this.#ids = new Map(this.#tokens.map((token, id) => [token, id]));
    this.vocab_size = this.#tokens.length;
    this.pad_token_id = this.vocab_size - 2;
    this.eos_token_id = this.vocab_size - 1;
  }

  /** @throws RangeError for a character without a token, with its position. */
  encode(text: string): Int32Array {
    const ids: number[] = [];
    // The parentheses keep the separators in the result.
    for (const part of text.split(/(<pad>|<eos>)/)) {
      const special = part === PAD || part === EOS;
      for (const token of special ? [part] : part) ids.push(this.#idOf(token, text));
    }
    return Int32Array.from(ids);
  }

  decode(
    ids: ArrayLike<number>,
    { skip_special_tokens = true }: { readonly skip_special_tokens?: boolean } = {},
  ): string {
    const kept = skip_special_tokens ? this.pad_token_id : this.vocab_size;
    return Array.from(ids, (id) => (id < kept ? (this.#tokens[id] ?? "") : "")).join("");
  }

  /** @throws Error always, because there is no chat template. */
  applyChatTemplate(): string {
    throw new Error("the character tokenizer has no chat template; set apply_chat_template to false");
  }

  /**
   * Hugging Face's files of this tokenizer. Its vocabulary lacks "<unk>", so that unknown characters are refused there too.
   */
  files(): Map<string, Uint8Array> {
    const tokens = Object.fromEntries(this.special_tokens);
    const flags = { special: true, single_word: false, lstrip: false, rstrip: false, normalized: false };
    const file = {
      version: "1.0",
      truncation: null,
      padding: null,
      added_tokens: Object.values(tokens).map((content) => ({
        id: this.#ids.get(content),
        content,
        ...flags,
      })),
      normalizer: null,
      pre_tokenizer: {
        type: "Split",
        pattern: { Regex: "[\\s\\S]" },
        behavior: "Isolated",
        invert: false,
      },
      post_processor: null,
      decoder: { type: "Fuse" },
      model: { type: "WordLevel", vocab: Object.fromEntries(this.#ids), unk_token: "<unk>" },
    };
    const config = {
      tokenizer_class: "PreTrainedTokenizerFast",
      clean_up_tokenization_spaces: false,
      ...tokens,
    };
    return new Map([
      ["tokenizer.json", jsonBytes(file)],
      ["tokenizer_config.json", jsonBytes(config)],
    ]);
  }

  #idOf(token: string, text: string): number {
    const id = this.#ids.get(token);
    if (id !== undefined) return id;
    const allowed = this.#tokens.slice(0, this.pad_token_id).join("");
    throw new RangeError(
      `text: found ${JSON.stringify(token)} at position ${text.indexOf(token)}, allowed characters ${JSON.stringify(allowed)}`,
    );
  }
}
