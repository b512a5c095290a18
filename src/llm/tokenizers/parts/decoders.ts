/** The decoders of tokenizer.json, each with the schema of its fields: they turn tokens into text. */
import { z } from "zod";
import { tokenBytes } from "./byteLevel.ts";
import { partUnion } from "./partUnion.ts";
import { pattern, replaceAll } from "./pattern.ts";
import { metaspaceFields } from "./preTokenizers.ts";

/** Changes tokens, whose texts follow each other in the end. */
export type Decoder = (tokens: readonly string[]) => readonly string[];

/** Where transformers and some decoders take spaces away. */
const TIDY = [" .", " ?", " !", " ,", " ' ", " n't", " 'm", " 's", " 've", " 're"];

/** transformers' `clean_up_tokenization`. */
export const cleanedUp = (text: string): string =>
  TIDY.reduce((clean, spaced) => clean.replaceAll(spaced, spaced.trim()), text);

/** As {@link cleanedUp}, with one replacement more before the last three. */
function tokenCleanedUp(token: string): string {
  const at = TIDY.indexOf(" 's");
  const tidy = (parts: readonly string[], text: string): string =>
    parts.reduce((clean, spaced) => clean.replaceAll(spaced, spaced.trim()), text);
  return tidy(TIDY.slice(at), tidy(TIDY.slice(0, at), token).replaceAll(" do not", " don't"));
}

const decodeUtf8 = (bytes: readonly number[], fatal: boolean): string =>
  new TextDecoder("utf-8", { fatal, ignoreBOM: true }).decode(Uint8Array.from(bytes));

/** The text of bytes, or a replacement character for each if they are not UTF-8. */
function byteTexts(bytes: readonly number[]): string[] {
  if (bytes.length === 0) return [];
  try {
    return [decodeUtf8(bytes, true)];
  } catch {
    return bytes.map(() => "\uFFFD");
  }
}

const byteFallback: Decoder = (tokens) => {
  const texts: string[] = [];
  let bytes: number[] = [];
  for (const token of tokens) {
    const hex = /^<0x([\dA-Fa-f]{2})>$/.exec(token)?.[1];
    if (hex !== undefined) bytes.push(Number.parseInt(hex, 16));
    else {
      texts.push(...byteTexts(bytes), token);
      bytes = [];
    }
  }
  return [...texts, ...byteTexts(bytes)];
};

const each =
  (change: (token: string, i: number, count: number) => string): Decoder =>
  (tokens) =>
    tokens.map((token, i) => change(token, i, tokens.length));

const byteLevel = z
  .strictObject({
    type: z.literal("ByteLevel"),
    // The three are of the pre-tokenizer, whose class the decoder shares.
    add_prefix_space: z.boolean().optional(),
    trim_offsets: z.boolean().optional(),
    use_regex: z.boolean().optional(),
  })
  .transform(
    (): Decoder => (tokens) => [
      decodeUtf8(
        tokens.flatMap((token) => Array.from(tokenBytes(token))),
        false,
      ),
    ],
  );

const metaspace = metaspaceFields.transform(({ replacement, prepend_scheme }) =>
  each((token, i) => token.replaceAll(replacement, i === 0 && prepend_scheme !== "never" ? "" : " ")),
);

const wordPiece = z
  .strictObject({ type: z.literal("WordPiece"), prefix: z.string(), cleanup: z.boolean() })
  .transform(({ prefix, cleanup }) =>
    each((token, i) => {
      const joined = token.startsWith(prefix) ? token.slice(prefix.length) : ` ${token}`;
      const text = i === 0 ? token : joined;
      return cleanup ? tokenCleanedUp(text) : text;
    }),
  );

const ctc = z
  .strictObject({
    type: z.literal("CTC"),
    pad_token: z.string(),
    word_delimiter_token: z.string(),
    cleanup: z.boolean(),
  })
  .transform(
    ({ pad_token, word_delimiter_token, cleanup }): Decoder =>
      (tokens) =>
        tokens
          .filter((token, i) => token !== tokens[i - 1])
          .map((token) => {
            const kept = token.replaceAll(pad_token, "");
            return cleanup ? tokenCleanedUp(kept).replaceAll(word_delimiter_token, " ") : kept;
          })
          .filter((token) => token !== ""),
  );

const strip = z
  .strictObject({
    type: z.literal("Strip"),
    content: z.string().refine((text) => Array.from(text).length === 1, "allowed one character"),
    start: z.int().nonnegative(),
    stop: z.int().nonnegative(),
  })
  .transform(({ content, start, stop }) =>
    each((token) => {
      const characters = Array.from(token);
      let [from, to] = [0, characters.length];
      while (from < Math.min(start, characters.length) && characters[from] === content) from++;
      while (characters.length - to < stop && to > from && characters[to - 1] === content) to--;
      return characters.slice(from, to).join("");
    }),
  );

const sequence = z
  .strictObject({
    type: z.literal("Sequence"),
    decoders: z.array(z.lazy((): z.ZodType<Decoder> => decoder)),
  })
  .transform(
    ({ decoders }): Decoder =>
      (tokens) =>
        decoders.reduce((texts, decode) => decode(texts), tokens),
  );

export const decoder: z.ZodType<Decoder> = partUnion("decoder", [
  sequence,
  byteLevel,
  metaspace,
  wordPiece,
  ctc,
  strip,
  z.strictObject({ type: z.literal("ByteFallback") }).transform(() => byteFallback),
  z.strictObject({ type: z.literal("Fuse") }).transform((): Decoder => (tokens) => [tokens.join("")]),
  z
    .strictObject({ type: z.literal("Replace"), pattern, content: z.string() })
    .transform(({ pattern: found, content }) => each((token) => replaceAll(token, found, content))),
  z
    .strictObject({ type: z.literal("BPEDecoder"), suffix: z.string() })
    .transform(({ suffix }) =>
      each((token, i, count) => token.replaceAll(suffix, i === count - 1 ? "" : " ")),
    ),
]);
