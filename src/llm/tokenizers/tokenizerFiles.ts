/** Schemas of a tokenizer's files. The library reads the rest of `tokenizer.json`. */
import { z } from "zod";

const addedToken = z.looseObject({
  id: z.int().nonnegative(),
  content: z.string(),
  special: z.boolean().default(false),
});

/** Files of a model's folder that belong to its tokenizer, or name its licence. */
export const COMPANION_FILES = [
  "tokenizer.json",
  "tokenizer_config.json",
  "special_tokens_map.json",
  "added_tokens.json",
  "chat_template.jinja",
  "vocab.json",
  "merges.txt",
  "tokenizer.model",
  "LICENSE",
];

/** `tokenizer.json`. */
export const tokenizerFile = z.looseObject({
  added_tokens: z.array(addedToken).default([]),
  model: z.looseObject({ type: z.enum(["BPE", "Unigram", "WordPiece", "WordLevel"]).nullish() }),
  normalizer: z.unknown().default(null),
  pre_tokenizer: z.unknown().default(null),
  post_processor: z.unknown().default(null),
  decoder: z.unknown().default(null),
});
export type TokenizerFile = z.output<typeof tokenizerFile>;

/** A token's text, or an object that contains it. */
const specialToken = z
  .union([z.string(), z.looseObject({ content: z.string() }).transform(({ content }) => content)])
  .nullish();

const specialTokens = {
  bos_token: specialToken,
  eos_token: specialToken,
  pad_token: specialToken,
  unk_token: specialToken,
  sep_token: specialToken,
  cls_token: specialToken,
  mask_token: specialToken,
};

const SPECIAL_NAMES = Object.keys(specialTokens) as (keyof typeof specialTokens)[];

/** `special_tokens_map.json`. Version 4 also wrote these fields to the config. */
export const specialFile = z.looseObject(specialTokens);
type SpecialFile = z.output<typeof specialFile>;

/** `tokenizer_config.json`. */
export const tokenizerConfig = z.looseObject({
  ...specialTokens,
  chat_template: z
    .union([z.string(), z.array(z.looseObject({ name: z.string(), template: z.string() }))])
    .nullish(),
  clean_up_tokenization_spaces: z.boolean().nullish(),
  add_bos_token: z.boolean().nullish(),
  add_eos_token: z.boolean().nullish(),
});
export type TokenizerConfig = z.output<typeof tokenizerConfig>;

const id = z.int().nonnegative();

/** `generation_config.json`. Its other fields are defaults of sampling, which manifests set. */
export const generationConfig = z.looseObject({ eos_token_id: z.union([id, z.array(id)]).nullish() });

/** Special tokens by role, such as `eos_token`. The first file that sets a role takes precedence. */
export function specialTokensOf(...files: readonly (SpecialFile | null)[]): ReadonlyMap<string, string> {
  const tokens = new Map<string, string>();
  for (const name of SPECIAL_NAMES) {
    const token = files.map((file) => file?.[name]).find((found) => typeof found === "string");
    if (token !== undefined && token !== null) tokens.set(name, token);
  }
  return tokens;
}
