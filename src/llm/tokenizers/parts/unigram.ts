import { z } from "zod";
import { show } from "../../../specs/messages.ts";
import { byteTokens } from "./byteLevel.ts";
import { type Model, unknownText } from "./Model.ts";
import { PrefixTree } from "./PrefixTree.ts";

/** What an unknown character costs below the least likely token. */
const UNKNOWN_PENALTY = 10;

interface Node {
  readonly start: number;
  /** `null` for text that is unknown. */
  readonly id: number | null;
  readonly score: number;
}

type Entries = readonly (readonly [token: string, score: number])[];

const isEntry = (entry: unknown): entry is readonly [string, number] =>
  Array.isArray(entry) && entry.length === 2 && typeof entry[0] === "string" && Number.isFinite(entry[1]);

/** Checked by hand, since it may have hundreds of thousands of entries. */
const scored = z.unknown().transform((found, context): Entries => {
  if (Array.isArray(found) && found.every(isEntry)) return found;
  const at = Array.isArray(found) ? found.findIndex((entry) => !isEntry(entry)) : -1;
  const message = `found ${show(at < 0 ? found : (found as unknown[])[at])}, allowed [token, score]`;
  context.addIssue({ code: "custom", path: at < 0 ? [] : [at], message });
  return z.NEVER;
});

export const unigram = z
  .strictObject({
    type: z.literal("Unigram"),
    unk_id: z.int().nonnegative().nullish(),
    byte_fallback: z.boolean().default(false),
    vocab: scored,
  })
  .refine(({ unk_id, vocab }) => (unk_id ?? -1) < vocab.length, {
    path: ["unk_id"],
    message: "is not in the vocabulary",
  })
  .transform(({ unk_id, byte_fallback, vocab }): Model => {
    const unknown = unk_id ?? null;
    const ids = new Map(vocab.map(([token], id) => [token, id]));
    const tree = new PrefixTree<{ readonly id: number; readonly score: number }>();
    for (const [token, id] of ids) tree.set(token, { id, score: vocab[id]?.[1] ?? 0 });
    const unknownScore =
      vocab.reduce((least, [, score]) => Math.min(least, score), Infinity) - UNKNOWN_PENALTY;

    /** The most likely cuts of a word; unknown characters that follow each other stay together. */
    const pieces = (word: string): string[] => {
      const best: (Node | undefined)[] = [{ start: 0, id: null, score: 0 }];
      const offer = (end: number, node: Node): void => {
        const known = best[end];
        if (known === undefined || node.score > known.score) best[end] = node;
      };
      for (let start = 0; start < word.length; ) {
        const here = best[start]?.score ?? 0;
        const next = start + String.fromCodePoint(word.codePointAt(start) ?? 0).length;
        let single = false;
        const from = start;
        tree.each(word, from, ({ id, score }, end) => {
          offer(end, { start: from, id, score: here + score });
          single ||= end === next;
        });
        if (!single) {
          if (unknown === null && best[next] === undefined) return unknownText(word.slice(from, next));
          if (unknown !== null) offer(next, { start: from, id: unknown, score: here + unknownScore });
        }
        start = next;
      }
      const found: string[] = [];
      let joins = false;
      for (let end = word.length; end > 0; ) {
        const { start, id } = best[end] ?? { start: end - 1, id: null };
        const piece = word.slice(start, end);
        const isUnknown = unknown !== null && id === unknown;
        if (isUnknown && joins) found[found.length - 1] = piece + (found.at(-1) ?? "");
        else found.push(piece);
        joins = isUnknown;
        end = start;
      }
      return found.toReversed();
    };

    const idsOf = (piece: string): readonly number[] => {
      const id = ids.get(piece);
      if (id !== undefined) return [id];
      const bytes = byte_fallback ? byteTokens(piece).map((token) => ids.get(token)) : [undefined];
      if (bytes.every((byte) => byte !== undefined)) return bytes;
      return [unknown ?? unknownText(piece)];
    };
    return { ids, isBpe: false, encode: (word) => pieces(word).flatMap(idsOf) };
  });
