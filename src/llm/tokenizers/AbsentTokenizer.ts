import type { Tokenizer } from "./Tokenizer.ts";

/** Replaces a tokenizer whose files are missing: every use throws the error from reading them. */
export class AbsentTokenizer implements Tokenizer {
  readonly #reason: Error;

  constructor(reason: Error) {
    this.#reason = reason;
  }

  get vocab_size(): number {
    throw this.#reason;
  }

  get pad_token_id(): number {
    throw this.#reason;
  }

  get eos_token_id(): number {
    throw this.#reason;
  }

  get has_chat_template(): boolean {
    throw this.#reason;
  }

  encode(): Int32Array {
    throw this.#reason;
  }

  decode(): string {
    throw this.#reason;
  }

  applyChatTemplate(): string {
    throw this.#reason;
  }
}

/** Ids that end a completion; empty without a tokenizer. */
export const endTokens = (tokenizer: Tokenizer): readonly number[] =>
  tokenizer instanceof AbsentTokenizer ? [] : [tokenizer.eos_token_id];
