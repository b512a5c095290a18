import type { AddedTokens } from "./addedTokens.ts";
import type { Decoder } from "./decoders.ts";
import type { Model } from "./Model.ts";
import type { PreTokenizer } from "./preTokenizers.ts";

interface PipelineParts {
  readonly added: AddedTokens;
  readonly pre_tokenizer: PreTokenizer | null;
  readonly model: Model;
  readonly decoder: Decoder | null;
}

/** What a tokenizer.json describes: from text to ids, as Python's `tokenizers` 0.23 goes, and back. */
export class TokenizerPipeline {
  /** The number of ids: the last one and those before it. */
  readonly size: number;
  readonly #parts: PipelineParts;
  readonly #texts = new Map<number, string>();

  constructor(parts: PipelineParts) {
    this.#parts = parts;
    let last = -1;
    for (const [token, id] of parts.model.ids) this.#texts.set(id, token);
    for (const ids of [parts.model.ids, parts.added.ids])
      for (const id of ids.values()) last = Math.max(last, id);
    this.size = last + 1;
  }

  idOf(token: string): number | undefined {
    return this.#parts.added.ids.get(token) ?? this.#parts.model.ids.get(token);
  }

  /** @throws Error for text without tokens, if none stands for unknown text. */
  encode(text: string): number[] {
    const { added, pre_tokenizer, model } = this.#parts;
    return added.split(text).flatMap((part) => {
      if (typeof part === "number") return [part];
      const words = pre_tokenizer === null ? [part] : pre_tokenizer(part);
      return words.flatMap((word) => (word.text === "" ? [] : model.encode(word.text)));
    });
  }

  /** Ids without a token are left out. */
  decode(ids: readonly number[], skip_special_tokens: boolean): string {
    const { added, decoder } = this.#parts;
    const tokens = ids.flatMap((id) => {
      const token = added.textOf(id) ?? this.#texts.get(id);
      return token === undefined || (skip_special_tokens && added.isSpecial(token)) ? [] : [token];
    });
    return decoder === null ? tokens.join(" ") : decoder(tokens).join("");
  }
}
