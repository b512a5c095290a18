/** The files of a tokenizer whose tokens are whole words. */

/** Words that no text contains: one that fills rows up, one that ends a text, and others. */
export interface SpecialWords {
  readonly pad: string;
  readonly end: string;
  readonly others?: readonly string[];
}

/**
 * In Hugging Face's files, as JSON by name.
 * @param words All tokens in order, with the special ones.
 */
export function wordTokenizer(
  words: readonly string[],
  { pad, end, others = [] }: SpecialWords,
  chat_template?: string,
): ReadonlyMap<string, string> {
  const special = [pad, end, ...others].toSorted((a, b) => words.indexOf(a) - words.indexOf(b));
  const files = {
    "tokenizer.json": {
      version: "1.0",
      added_tokens: special.map((content) => ({ id: words.indexOf(content), content, special: true })),
      normalizer: null,
      pre_tokenizer: { type: "WhitespaceSplit" },
      post_processor: null,
      decoder: null,
      model: {
        type: "WordLevel",
        vocab: Object.fromEntries(words.map((word, id) => [word, id])),
        unk_token: pad,
      },
    },
    "tokenizer_config.json": { pad_token: pad, eos_token: end, chat_template },
  };
  return new Map(Object.entries(files).map(([name, content]) => [name, JSON.stringify(content)]));
}
