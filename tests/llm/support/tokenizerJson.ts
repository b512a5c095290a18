/** A small tokenizer of bytes with merges, as `tokenizer.json` has it. */
import { jsonBytes } from "../../../src/llm/models.ts";

/** The characters that stand for bytes 0 to 255 in a tokenizer of bytes: printable ones for themselves. */
function byteCharacters(): string[] {
  const printable = (byte: number): boolean =>
    (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(printable(byte) ? byte : next++));
}

/** Pairs that become one token, in order; "t" + "he" is among them. */
const MERGES = ["h e", "t he", "Ġ the", "l l", "he ll", "hell o", "Ġ a", "a n", "an d", "i n", "in g"];

/** Tokens outside of the merges, with ids behind them. */
export const CHAT_TOKENS = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"];

const vocab = Object.fromEntries(
  [...byteCharacters(), ...MERGES.map((pair) => pair.replace(" ", ""))].map((token, id) => [token, id]),
);

/** The id of a token of the vocabulary, or of one added. */
export function idOf(token: string): number {
  const added = CHAT_TOKENS.indexOf(token);
  const id = added < 0 ? vocab[token] : Object.keys(vocab).length + added;
  if (id === undefined) throw new Error(`${token} is no token`);
  return id;
}

export const TOKENIZER_JSON = {
  version: "1.0",
  truncation: null,
  padding: null,
  added_tokens: CHAT_TOKENS.map((content) => ({
    id: idOf(content),
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  })),
  normalizer: null,
  pre_tokenizer: { type: "ByteLevel", add_prefix_space: false, trim_offsets: true, use_regex: true },
  post_processor: {
    type: "TemplateProcessing",
    single: [{ SpecialToken: { id: "<|endoftext|>", type_id: 0 } }, { Sequence: { id: "A", type_id: 0 } }],
    pair: [{ Sequence: { id: "A", type_id: 0 } }, { Sequence: { id: "B", type_id: 1 } }],
    special_tokens: {
      "<|endoftext|>": { id: "<|endoftext|>", ids: [idOf("<|endoftext|>")], tokens: ["<|endoftext|>"] },
    },
  },
  decoder: { type: "ByteLevel", add_prefix_space: true, trim_offsets: true, use_regex: true },
  model: {
    type: "BPE",
    dropout: null,
    unk_token: null,
    continuing_subword_prefix: null,
    end_of_word_suffix: null,
    fuse_unk: false,
    byte_fallback: false,
    ignore_merges: false,
    vocab,
    merges: MERGES,
  },
} as const;

export const TOKENIZER_CONFIG = {
  tokenizer_class: "PreTrainedTokenizerFast",
  bos_token: "<|endoftext|>",
  eos_token: "<|im_end|>",
  pad_token: "<|endoftext|>",
} as const;

/** A tokenizer's files; `null` leaves one out. */
export function tokenizerFiles(
  config: object | null = TOKENIZER_CONFIG,
  tokenizer: object | null = TOKENIZER_JSON,
): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  if (tokenizer !== null) files.set("tokenizer.json", jsonBytes(tokenizer));
  if (config !== null) files.set("tokenizer_config.json", jsonBytes(config));
  return files;
}
