/** Tokens that are found in a text before it is cut into words. */
import { z } from "zod";
import type { Normalizer } from "./normalizers.ts";
import { PrefixTree } from "./PrefixTree.ts";
import { type Piece, partOf, SPACE, WORD, wholeText } from "./pieces.ts";

export const declaration = {
  content: z.string(),
  single_word: z.boolean().default(false),
  lstrip: z.boolean().default(false),
  rstrip: z.boolean().default(false),
  /** Default: whether the token is not special. */
  normalized: z.boolean().optional(),
  special: z.boolean().default(false),
};

export const addedToken = z.strictObject({ id: z.int().nonnegative(), ...declaration });
export type AddedToken = Omit<z.output<typeof addedToken>, "id">;

/** Whether a token is found after the normalizer, by its own normalised text. */
export const isNormalized = ({ normalized, special }: AddedToken): boolean => normalized ?? !special;

const ENDS_WITH_WORD = new RegExp(`[${WORD}]$`, "u");
const STARTS_WITH_WORD = new RegExp(`^[${WORD}]`, "u");
const SPACE_AT_END = new RegExp(`(?<!${SPACE})${SPACE}+$`, "u");
const SPACE_AT_START = new RegExp(`^${SPACE}+`, "u");

interface Found extends AddedToken {
  readonly id: number;
}

/** Cuts a text at the tokens of a tree, of which the longest counts, into pieces and ids. */
function split(tree: PrefixTree<Found>, piece: Piece): (Piece | number)[] {
  const { text } = piece;
  const parts: (Piece | number)[] = [];
  let done = 0;
  for (let at = 0, end = 0; at < text.length; at = end) {
    let token: Found | undefined;
    end = at + 1;
    tree.each(text, at, (found, behind) => {
      token = found;
      end = behind;
    });
    if (token === undefined) continue;
    const { single_word, lstrip, rstrip, id } = token;
    const before = single_word || lstrip ? text.slice(0, at) : "";
    const behind = single_word || rstrip ? text.slice(end) : "";
    if (single_word && (ENDS_WITH_WORD.test(before) || STARTS_WITH_WORD.test(behind))) continue;
    const start = lstrip ? Math.max(done, at - (SPACE_AT_END.exec(before)?.[0].length ?? 0)) : at;
    const stop = rstrip ? end + (SPACE_AT_START.exec(behind)?.[0].length ?? 0) : end;
    parts.push(...partOf(piece, done, start));
    // A token before may have taken this one's spaces.
    if (start < stop) parts.push(id);
    done = stop;
  }
  return [...parts, ...partOf(piece, done, text.length)];
}

/** The added tokens of a tokenizer. */
export class AddedTokens {
  /** Ids by content. */
  readonly ids = new Map<string, number>();
  readonly #texts = new Map<number, string>();
  readonly #special = new Set<string>();
  readonly #plain = new PrefixTree<Found>();
  readonly #normalized = new PrefixTree<Found>();
  readonly #normalizer: Normalizer | null;

  /**
   * A token gets its id in the vocabulary, or else the next id, whatever the file says, as in Python.
   * @param tokens If one occurs again, the last one counts.
   */
  constructor(
    tokens: readonly AddedToken[],
    vocabulary: ReadonlyMap<string, number>,
    normalizer: Normalizer | null,
  ) {
    this.#normalizer = normalizer;
    const found = new Map<number, Found>();
    let next = vocabulary.size;
    for (const token of tokens) {
      if (token.content === "") continue;
      const id = this.ids.get(token.content) ?? vocabulary.get(token.content) ?? next++;
      this.ids.set(token.content, id);
      if (token.special) this.#special.add(token.content);
      found.set(id, { ...token, id });
    }
    for (const [id, token] of found) {
      const normalized = isNormalized(token);
      const text = normalized && normalizer ? normalizer(wholeText(token.content)).text : token.content;
      this.#texts.set(id, text);
      if (text !== "") (normalized ? this.#normalized : this.#plain).set(text, token);
    }
  }

  /** The text of an id in decoding, which is normalised where the token is; `undefined` for others. */
  textOf(id: number): string | undefined {
    return this.#texts.get(id);
  }

  isSpecial(text: string): boolean {
    return this.#special.has(text);
  }

  /** Cuts a text into the ids of added tokens and normalised pieces between them. */
  split(text: string): (Piece | number)[] {
    return split(this.#plain, wholeText(text)).flatMap((part) => {
      if (typeof part === "number") return [part];
      return split(this.#normalized, this.#normalizer?.(part) ?? part);
    });
  }
}
