import { z } from "zod";
import { show } from "../../../specs/messages.ts";
import { byteTokens } from "./byteLevel.ts";
import { type Model, unknownText, vocabulary } from "./Model.ts";

/** Places come after ranks in one number, and ids after ids; all are below 2^26. */
const PLACES = 2 ** 26;

interface Merges {
  /** Ranks by the ids of left and right, in one number. */
  readonly ranks: ReadonlyMap<number, number>;
  /** The id that each rank merges to. */
  readonly ids: readonly number[];
}

/** Takes the smallest number first. */
class Heap {
  readonly #numbers: number[] = [];

  push(number: number): void {
    const heap = this.#numbers;
    let at = heap.length;
    for (; at > 0; at = (at - 1) >> 1) {
      const parent = heap[(at - 1) >> 1] ?? 0;
      if (parent <= number) break;
      heap[at] = parent;
    }
    heap[at] = number;
  }

  pop(): number | undefined {
    const heap = this.#numbers;
    const [top] = heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return top;
    let at = 0;
    for (let child = 1; child < heap.length; child = 2 * at + 1) {
      if ((heap[child + 1] ?? Infinity) < (heap[child] ?? 0)) child++;
      const least = heap[child] ?? Infinity;
      if (least >= last) break;
      heap[at] = least;
      at = child;
    }
    heap[at] = last;
    return top;
  }
}

/** Merges neighbours, in the order of ranks and from the left. */
function merged(symbols: readonly number[], merges: Merges): number[] {
  const ids = [...symbols];
  const next = ids.map((_, i) => i + 1);
  const previous = ids.map((_, i) => i - 1);
  const heap = new Heap();
  const rankAt = (at: number): number | undefined => {
    const [left, right] = [ids[at], ids[next[at] ?? -1]];
    return left === undefined || right === undefined ? undefined : merges.ranks.get(left * PLACES + right);
  };
  const offer = (at: number): void => {
    const rank = rankAt(at);
    if (rank !== undefined) heap.push(rank * PLACES + at);
  };
  for (let i = 0; i + 1 < ids.length; i++) offer(i);
  const gone = new Uint8Array(ids.length);
  for (let top = heap.pop(); top !== undefined; top = heap.pop()) {
    const at = top % PLACES;
    const id = merges.ids[Math.floor(top / PLACES)];
    // What stood there when the merge was offered may have been merged since.
    if (id === undefined || gone[at] === 1 || merges.ids[rankAt(at) ?? -1] !== id) continue;
    const right = next[at] ?? ids.length;
    ids[at] = id;
    gone[right] = 1;
    const behind = next[right] ?? ids.length;
    next[at] = behind;
    if (behind < ids.length) previous[behind] = at;
    const before = previous[at] ?? -1;
    if (before >= 0) offer(before);
    offer(at);
  }
  return ids.filter((_, i) => gone[i] === 0);
}

type Pairs = readonly (readonly [string, string])[];

const isPair = (merge: unknown): merge is readonly [string, string] =>
  Array.isArray(merge) && merge.length === 2 && typeof merge[0] === "string" && typeof merge[1] === "string";

/** Pairs of tokens; early versions write them as one text. */
const pairs = z.unknown().transform((found, context): Pairs => {
  const list: readonly unknown[] = Array.isArray(found) ? found : [null];
  const read = list.map((merge) => (typeof merge === "string" ? merge.split(" ") : merge));
  if (read.every(isPair)) return read;
  const message = `found ${show(list.find((_, i) => !isPair(read[i])))}, allowed a list of pairs of tokens`;
  context.addIssue({ code: "custom", message });
  return z.NEVER;
});

/** Words up to this length are remembered, and as many of them. */
const CACHED_LENGTH = 256;
const CACHED_WORDS = 10_000;

export const bpe = z
  .strictObject({
    type: z.literal("BPE"),
    dropout: z
      .number()
      .nullish()
      .refine((dropout) => (dropout ?? 0) === 0, "draws ids at random, allowed null or 0"),
    unk_token: z.string().nullish(),
    continuing_subword_prefix: z.string().nullish(),
    end_of_word_suffix: z.string().nullish(),
    fuse_unk: z.boolean().nullish(),
    byte_fallback: z.boolean().nullish(),
    ignore_merges: z.boolean().nullish(),
    vocab: vocabulary,
    merges: pairs,
  })
  .transform((options, context): Model => {
    const { vocab, unk_token = null } = options;
    const prefix = options.continuing_subword_prefix ?? "";
    const suffix = options.end_of_word_suffix ?? "";
    const ranks = new Map<number, number>();
    const merges = { ranks, ids: [] as number[] };
    for (const [rank, [left, right]] of options.merges.entries()) {
      const token = left + right.slice(prefix.length);
      const [a, b, id] = [vocab.get(left), vocab.get(right), vocab.get(token)];
      if (a === undefined || b === undefined || id === undefined) {
        const missing = a === undefined ? left : b === undefined ? right : token;
        const message = `found ${show(missing)}, which is not in the vocabulary`;
        context.addIssue({ code: "custom", path: ["merges", rank], message });
        return z.NEVER;
      }
      ranks.set(a * PLACES + b, rank);
      merges.ids.push(id);
    }

    const symbolsOf = (word: string): number[] => {
      const characters = Array.from(word);
      const symbols: number[] = [];
      let pending: number | null = null;
      for (const [i, character] of characters.entries()) {
        const token = (i > 0 ? prefix : "") + character + (i + 1 === characters.length ? suffix : "");
        const id = vocab.get(token);
        if (id !== undefined) {
          if (pending !== null) symbols.push(pending);
          pending = null;
          symbols.push(id);
          continue;
        }
        const bytes =
          options.byte_fallback === true ? byteTokens(token).map((byte) => vocab.get(byte)) : [undefined];
        if (bytes.every((byte) => byte !== undefined)) {
          symbols.push(...bytes);
          continue;
        }
        // Python leaves out what it has no token for.
        if (unk_token === null) continue;
        if (pending !== null && options.fuse_unk !== true) symbols.push(pending);
        if (pending === null || options.fuse_unk !== true)
          pending = vocab.get(unk_token) ?? unknownText(character);
      }
      if (pending !== null) symbols.push(pending);
      return symbols;
    };

    const cache = new Map<string, readonly number[]>();
    const encode = (word: string): readonly number[] => {
      const whole = options.ignore_merges === true ? vocab.get(word) : undefined;
      if (whole !== undefined) return [whole];
      const known = cache.get(word);
      if (known !== undefined) return known;
      const ids = merged(symbolsOf(word), merges);
      if (cache.size >= CACHED_WORDS) cache.clear();
      if (word.length < CACHED_LENGTH) cache.set(word, ids);
      return ids;
    };
    return { ids: vocab, isBpe: true, encode };
  });
