/** Schemas of a tokenizer's files. */
import { z } from "zod";
import { addedToken, declaration, isNormalized } from "./parts/addedTokens.ts";
import { decoder } from "./parts/decoders.ts";
import { model } from "./parts/models.ts";
import { normalizer } from "./parts/normalizers.ts";
import { wholeText } from "./parts/pieces.ts";
import { postProcessor } from "./parts/postProcessor.ts";
import { preTokenizer } from "./parts/preTokenizers.ts";

/**
 * `tokenizer.json`: each field is read, or refused by name. transformers applies truncation and padding only where a call
 * asks for them.
 */
export const tokenizerFile = z
  .strictObject({
    version: z.literal("1.0").nullish(),
    truncation: z.unknown().optional(),
    padding: z.unknown().optional(),
    added_tokens: z.array(addedToken).default([]),
    normalizer: normalizer.nullish(),
    pre_tokenizer: preTokenizer.nullish(),
    post_processor: postProcessor.nullish(),
    decoder: decoder.nullish(),
    model,
  })
  .superRefine(({ added_tokens, normalizer: normalize }, context) => {
    const texts = new Set<string>();
    for (const [i, token] of added_tokens.entries()) {
      if (!isNormalized(token) || !normalize || token.content === "") continue;
      const { text } = normalize(wholeText(token.content));
      const message = `is ${JSON.stringify(text)} after the normalizer, as is no text or another token`;
      if (text === "" || texts.has(text))
        context.addIssue({ code: "custom", path: ["added_tokens", i, "content"], message });
      texts.add(text);
    }
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
  clean_up_tokenization_spaces_for_bpe_even_though_it_will_corrupt_output: z.boolean().nullish(),
  /** Tokens by id, with what they were declared as. */
  added_tokens_decoder: z.record(z.string(), z.looseObject(declaration)).nullish(),
  additional_special_tokens: z.array(specialToken).nullish(),
  extra_special_tokens: z.union([z.array(specialToken), z.record(z.string(), specialToken)]).nullish(),
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
