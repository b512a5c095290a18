/** The models of tokenizer.json, which turn words into ids, each with the schema of its fields. */
import { z } from "zod";
import { bpe } from "./bpe.ts";
import { type Model, unknownText, vocabulary } from "./Model.ts";
import { partUnion } from "./partUnion.ts";
import { unigram } from "./unigram.ts";

const wordLevel = z
  .strictObject({ type: z.literal("WordLevel"), vocab: vocabulary, unk_token: z.string() })
  .transform(
    ({ vocab, unk_token }): Model => ({
      ids: vocab,
      isBpe: false,
      encode: (word) => [vocab.get(word) ?? vocab.get(unk_token) ?? unknownText(word)],
    }),
  );

const wordPiece = z
  .strictObject({
    type: z.literal("WordPiece"),
    vocab: vocabulary,
    unk_token: z.string(),
    continuing_subword_prefix: z.string(),
    max_input_chars_per_word: z.int().nonnegative(),
  })
  .transform(({ vocab, unk_token, continuing_subword_prefix, max_input_chars_per_word }): Model => {
    const pieces = (characters: readonly string[]): number[] | null => {
      const ids: number[] = [];
      for (let start = 0; start < characters.length; ) {
        const prefix = start > 0 ? continuing_subword_prefix : "";
        let end = characters.length;
        let id: number | undefined;
        while (end > start && id === undefined)
          id = vocab.get(prefix + characters.slice(start, end--).join(""));
        if (id === undefined) return null;
        ids.push(id);
        start = end + 1;
      }
      return ids;
    };
    const encode = (word: string): number[] => {
      const characters = Array.from(word);
      const found = characters.length > max_input_chars_per_word ? null : pieces(characters);
      return found ?? [vocab.get(unk_token) ?? unknownText(word)];
    };
    return { ids: vocab, isBpe: false, encode };
  });

const has = (model: object, key: string): boolean => Object.hasOwn(model, key);

/** The type of a model in a file of an early version, which does not name it. */
function typeOf(model: object): string {
  if (has(model, "merges")) return "BPE";
  if (has(model, "continuing_subword_prefix")) return "WordPiece";
  return has(model, "unk_id") || ("vocab" in model && Array.isArray(model.vocab)) ? "Unigram" : "WordLevel";
}

export const model = z.preprocess(
  (found) =>
    typeof found === "object" && found !== null && !("type" in found && typeof found.type === "string")
      ? { ...found, type: typeOf(found) }
      : found,
  partUnion<Model>("model", [bpe, unigram, wordPiece, wordLevel]),
);
