/** Texts that end a completion. They are kept, as with `stop_strings` of transformers. */
import type { Tokenizer } from "../tokenizers/Tokenizer.ts";

/** Tokens beyond one for each byte of a text, in case that some have no text. */
const SPARE = 4;

export class StopStrings {
  readonly #texts: readonly string[];
  readonly #tokenizer: Tokenizer;
  /** Tokens that the longest text may have. */
  readonly #most: number;

  private constructor(texts: readonly string[], tokenizer: Tokenizer) {
    this.#texts = texts;
    this.#tokenizer = tokenizer;
    const bytes = texts.map((text) => new TextEncoder().encode(text).length);
    this.#most = Math.max(...bytes) + SPARE;
  }

  /** `null` for no texts. */
  static of(texts: readonly string[], tokenizer: Tokenizer): StopStrings | null {
    return texts.length === 0 ? null : new StopStrings(texts, tokenizer);
  }

  /**
   * Whether the last of the ids from `start` completes a text, which may end within that token. A text that was complete
   * before does not count.
   */
  completedBy(ids: readonly number[], start: number): boolean {
    const last = ids.slice(Math.max(start, ids.length - this.#most));
    const [text, before] = [last, last.slice(0, -1)].map((own) =>
      this.#tokenizer.decode(own, { skip_special_tokens: false }),
    ) as [string, string];
    // Decoders write this for the first bytes of a character.
    const known = before.replace(/\ufffd+$/, "").length;
    return this.#texts.some((own) => text.indexOf(own, Math.max(0, known - own.length + 1)) >= 0);
  }
}
