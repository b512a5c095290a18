/** The pre-tokenizers of tokenizer.json, each with the schema of its fields: they cut a text into words. */
import { z } from "zod";
import { byteCharacters } from "./byteLevel.ts";
import { partUnion } from "./partUnion.ts";
import { expression, literal, pattern, type Span, spansOf } from "./pattern.ts";
import { type Piece, partOf, SPACE, WORD } from "./pieces.ts";

export type PreTokenizer = (piece: Piece) => readonly Piece[];

const behavior = z.enum(["Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous"]);
type Behavior = z.output<typeof behavior>;

/** Joins each span to the one before it where `joins` says so. */
function joined(spans: readonly Span[], joins: (before: Span, span: Span) => boolean): Span[] {
  const kept: Span[] = [];
  for (const [i, span] of spans.entries()) {
    const before = spans[i - 1];
    const last = kept.at(-1);
    if (before !== undefined && last !== undefined && joins(before, span))
      kept[kept.length - 1] = {
        ...last,
        start: Math.min(last.start, span.start),
        end: Math.max(last.end, span.end),
      };
    else kept.push(span);
  }
  return kept;
}

const isNew = (before: Span, { matched }: Span): boolean => matched && !before.matched;

const CUTS: Readonly<Record<Behavior, (spans: readonly Span[]) => readonly Span[]>> = {
  Removed: (spans) => spans.filter(({ matched }) => !matched),
  Isolated: (spans) => spans,
  Contiguous: (spans) => joined(spans, (before, { matched }) => before.matched === matched),
  MergedWithPrevious: (spans) => joined(spans, isNew),
  MergedWithNext: (spans) => joined(spans.toReversed(), isNew).toReversed(),
};

/** Cuts a piece at what an expression matches; inverted, at what it does not. */
const cutting =
  (found: RegExp, how: Behavior, invert = false): PreTokenizer =>
  (piece) => {
    const spans = spansOf(found, piece.text).map((span) => ({ ...span, matched: span.matched !== invert }));
    return CUTS[how](spans).flatMap(({ start, end }) => partOf(piece, start, end));
  };

const inOrder =
  (cuts: readonly PreTokenizer[]): PreTokenizer =>
  (piece) =>
    cuts.reduce<readonly Piece[]>((pieces, cut) => pieces.flatMap(cut), [piece]);

/** A pre-tokenizer without fields. */
const plain = <const T extends string>(type: T, cut: PreTokenizer) =>
  z.strictObject({ type: z.literal(type) }).transform(() => cut);

const PUNCTUATION = /[\p{P}!-/:-@[-`{-~]/gu;
const spaces = cutting(new RegExp(SPACE, "gu"), "Removed");
const words = cutting(new RegExp(`[${WORD}]+|[^${WORD}${SPACE}]+`, "gu"), "Removed", true);

const GPT2 = expression("'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+");

const byteLevel = z
  .strictObject({
    type: z.literal("ByteLevel"),
    add_prefix_space: z.boolean(),
    /** Of offsets, which rlkit does not have. */
    trim_offsets: z.boolean(),
    use_regex: z.boolean().default(true),
  })
  .transform(({ add_prefix_space, use_regex }): PreTokenizer => {
    const cut: PreTokenizer = use_regex ? cutting(GPT2, "Isolated") : (piece) => [piece];
    return ({ text, head }) => {
      const space = add_prefix_space && !text.startsWith(" ") ? " " : "";
      return cut({ text: space + text, head: head && head + space.length }).map((piece) => ({
        text: byteCharacters(piece.text),
        head: byteCharacters(piece.text.slice(0, piece.head)).length,
      }));
    };
  });

const character = z.string().refine((text) => Array.from(text).length === 1, "allowed one character");

/** Fields of the pre-tokenizer and of the decoder. */
export const metaspaceFields = z
  .strictObject({
    type: z.literal("Metaspace"),
    replacement: character,
    prepend_scheme: z.enum(["always", "first", "never"]).default("always"),
    split: z.boolean().nullish(),
    /** Of earlier versions. */
    add_prefix_space: z.boolean().nullish(),
    str_rep: z.string().nullish(),
  })
  .refine(
    ({ add_prefix_space, prepend_scheme }) => add_prefix_space !== false || prepend_scheme === "never",
    {
      path: ["add_prefix_space"],
      message: 'found false, but prepend_scheme is not "never"; set it to that',
    },
  );

const metaspace = metaspaceFields.transform(({ replacement, prepend_scheme, split }): PreTokenizer => {
  const cut: PreTokenizer =
    split === false ? (piece) => [piece] : cutting(literal(replacement), "MergedWithNext");
  return ({ text, head }) => {
    const marked = text.replaceAll(" ", () => replacement);
    const asked = prepend_scheme === "always" || (prepend_scheme === "first" && head > 0);
    const before = asked && !marked.startsWith(replacement) ? replacement : "";
    return cut({ text: before + marked, head: head && head + before.length });
  };
});

const fixedLength = z
  .strictObject({ type: z.literal("FixedLength"), length: z.int().min(1).default(5) })
  .transform(({ length }) => cutting(new RegExp(`[^]{1,${length}}`, "gu"), "Isolated"));

const sequence = z
  .strictObject({
    type: z.literal("Sequence"),
    pretokenizers: z.array(z.lazy((): z.ZodType<PreTokenizer> => preTokenizer)),
  })
  .transform(({ pretokenizers }) => inOrder(pretokenizers));

export const preTokenizer: z.ZodType<PreTokenizer> = partUnion("pre-tokenizer", [
  sequence,
  plain("BertPreTokenizer", inOrder([spaces, cutting(PUNCTUATION, "Isolated")])),
  plain("Whitespace", words),
  plain("WhitespaceSplit", spaces),
  byteLevel,
  metaspace,
  fixedLength,
  z
    .strictObject({ type: z.literal("Split"), pattern, behavior, invert: z.boolean() })
    .transform((split) => cutting(split.pattern, split.behavior, split.invert)),
  z
    .strictObject({ type: z.literal("Punctuation"), behavior: behavior.default("Isolated") })
    .transform((punctuation) => cutting(PUNCTUATION, punctuation.behavior)),
  z
    .strictObject({ type: z.literal("Digits"), individual_digits: z.boolean() })
    .transform(({ individual_digits }) => cutting(/\p{N}/gu, individual_digits ? "Isolated" : "Contiguous")),
  z
    .strictObject({ type: z.literal("CharDelimiterSplit"), delimiter: character })
    .transform(({ delimiter }) => cutting(literal(delimiter), "Removed")),
]);
