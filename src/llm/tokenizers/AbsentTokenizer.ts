import type { Tokenizer } from "./Tokenizer.ts";

/** Replaces a tokenizer whose files are missing: every use throws the error from reading them. */
export class AbsentTokenizer implements Tokenizer {
  readonly stop_token_ids: readonly number[];
  readonly #reason: Error;

  constructor(reason: Error, stop_token_ids: readonly number[]) {
    this.#reason = reason;
    this.stop_token_ids = stop_token_ids;
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

/** Ids that end a completion; without a tokenizer, those that the model names. */
export const endTokens = (tokenizer: Tokenizer): readonly number[] =>
  tokenizer.stop_token_ids ?? [tokenizer.eos_token_id];
