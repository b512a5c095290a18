/** The normalizers of tokenizer.json, each with the schema of its fields. */
import { z } from "zod";
import { byteCharacters } from "./byteLevel.ts";
import { precompiled } from "./charsmap.ts";
import { partUnion } from "./partUnion.ts";
import { pattern, replaceAll, spansOf } from "./pattern.ts";
import { type Piece, SPACE } from "./pieces.ts";

export type Normalizer = (piece: Piece) => Piece;

/** Changes a text without removing its beginning. */
const rewriting =
  (rewrite: (text: string) => string): Normalizer =>
  ({ text, head }) => ({ text: rewrite(text), head: head && rewrite(text.slice(0, head)).length });

const removing =
  (removed: RegExp): Normalizer =>
  ({ text, head }) => ({
    text: text.replace(removed, ""),
    head: text.search(removed) === 0 ? 0 : head,
  });

const inOrder =
  (normalizers: readonly Normalizer[]): Normalizer =>
  (piece) =>
    normalizers.reduce((changed, normalize) => normalize(changed), piece);

/** Character by character, so that a final sigma is not special. */
const lowercase = rewriting((text) =>
  text.replace(/\p{Changes_When_Lowercased}/gu, (character) => character.toLowerCase()),
);

/** A normalizer without fields. */
const plain = <const T extends string>(type: T, normalize: Normalizer) =>
  z.strictObject({ type: z.literal(type) }).transform(() => normalize);

const CHINESE =
  /[\u4E00-\u9FFF\u3400-\u4DBF\u{20000}-\u{2A6DF}\u{2A700}-\u{2B73F}\u{2B740}-\u{2B81F}\u{2B920}-\u{2CEAF}\uF900-\uFAFF\u{2F800}-\u{2FA1F}]/gu;
const CONTROL = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\uFFFD]/gu;

const bert = z
  .strictObject({
    type: z.literal("BertNormalizer"),
    clean_text: z.boolean(),
    handle_chinese_chars: z.boolean(),
    strip_accents: z.boolean().nullish(),
    lowercase: z.boolean(),
  })
  .transform((options) =>
    inOrder([
      ...(options.clean_text
        ? [removing(CONTROL), rewriting((text) => text.replace(new RegExp(SPACE, "gu"), " "))]
        : []),
      ...(options.handle_chinese_chars ? [rewriting((text) => text.replace(CHINESE, " $& "))] : []),
      ...((options.strip_accents ?? options.lowercase)
        ? [rewriting((text) => text.normalize("NFD")), removing(/\p{Mn}/gu)]
        : []),
      ...(options.lowercase ? [lowercase] : []),
    ]),
  );

const strip = z
  .strictObject({ type: z.literal("Strip"), strip_left: z.boolean(), strip_right: z.boolean() })
  .transform(({ strip_left, strip_right }) =>
    inOrder([
      ...(strip_left ? [removing(new RegExp(`^${SPACE}+`, "u"))] : []),
      ...(strip_right ? [removing(new RegExp(`(?<!${SPACE})${SPACE}+$`, "u"))] : []),
    ]),
  );

const replace = z.strictObject({ type: z.literal("Replace"), pattern, content: z.string() }).transform(
  ({ pattern: found, content }): Normalizer =>
    ({ text, head }) => {
      const [span] = spansOf(found, text);
      // What stands for a match comes from the last character of it.
      const kept = span?.matched === true && span.end > 0 ? 0 : head;
      const isHead = span?.matched === true && span.end <= head;
      return { text: replaceAll(text, found, content), head: kept + (isHead ? content.length : 0) };
    },
);

const prepend = z
  .strictObject({ type: z.literal("Prepend"), prepend: z.string() })
  .transform(({ prepend: before }) => rewriting((text) => (text === "" ? "" : before + text)));

const NMT_REMOVED = /[\u0001-\u0008\u000B\u000E-\u001F\u007F\u008F\u009F]/g;
const NMT_SPACE = /[\t\n\f\r\u1680\u200B-\u200F\u2028\u2029\u2581\uFEFF\uFFFD]/g;

const sequence = z
  .strictObject({
    type: z.literal("Sequence"),
    normalizers: z.array(z.lazy((): z.ZodType<Normalizer> => normalizer)),
  })
  .transform(({ normalizers }) => inOrder(normalizers));

const form = (name: "NFC" | "NFD" | "NFKC" | "NFKD") =>
  plain(
    name,
    rewriting((text) => text.normalize(name)),
  );

export const normalizer: z.ZodType<Normalizer> = partUnion("normalizer", [
  sequence,
  form("NFC"),
  form("NFD"),
  form("NFKC"),
  form("NFKD"),
  plain("Lowercase", lowercase),
  plain("StripAccents", removing(/\p{M}/gu)),
  plain("Nmt", inOrder([removing(NMT_REMOVED), rewriting((text) => text.replace(NMT_SPACE, " "))])),
  plain("ByteLevel", rewriting(byteCharacters)),
  bert,
  strip,
  replace,
  prepend,
  // What follows a removed beginning takes its place.
  precompiled.transform(
    (rewrite): Normalizer =>
      ({ text, head }) => ({
        text: rewrite(text),
        head: head && Math.max(1, rewrite(text.slice(0, head)).length),
      }),
  ),
]);
