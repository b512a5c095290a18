/** Validates token ids from callers. */
import { type NumberArray, readIntegers } from "../data/readArray.ts";
import type { Sequences } from "../engine/Policy.ts";

/** Ids of a prompt, as an array or in the form that `RolloutHarness` returns. */
export type PromptInput = ArrayLike<number> | { readonly input_ids: ArrayLike<number> };

/** Allowed ids and sequence lengths. */
export interface TokenLimits {
  readonly vocab_size: number;
  /** Longest sequence in tokens. */
  readonly max_model_len: number;
}

/**
 * Validates sequences of one length, padded on either side.
 * @param names Names of the two arrays in errors.
 * @throws TypeError or RangeError naming an invalid array.
 * @internal
 */
export function readSequences(
  batch: { readonly input_ids?: NumberArray; readonly attention_mask?: NumberArray | null },
  limits: TokenLimits,
  names: { readonly input_ids: string; readonly attention_mask: string },
): Sequences {
  const { vocab_size, max_model_len } = limits;
  const { shape, data: input_ids } = readIntegers(
    batch.input_ids,
    names.input_ids,
    [["n", "T"]],
    [0, vocab_size - 1],
  );
  const [rows = 0, length = 0] = shape;
  if (rows === 0) throw new RangeError(`${names.input_ids}: found no sequence, allowed at least one`);
  if (length > max_model_len)
    throw new RangeError(
      `${names.input_ids}: found sequences of ${length} tokens, allowed ${max_model_len}; raise max_model_len, or shorten them`,
    );
  const attention_mask =
    batch.attention_mask === undefined || batch.attention_mask === null
      ? new Int32Array(input_ids.length).fill(1)
      : readIntegers(batch.attention_mask, names.attention_mask, [[rows, length]], [0, 1]).data;
  return { rows, length, input_ids, attention_mask };
}

/**
 * Validates prompts of different lengths, each with room for at least one more token.
 * @throws TypeError or RangeError naming an invalid prompt.
 */
export function readPrompts(
  prompts: readonly PromptInput[],
  { vocab_size, max_model_len }: TokenLimits,
): readonly Int32Array[] {
  if (!Array.isArray(prompts))
    throw new TypeError(`prompts: found a ${typeof prompts}, allowed a list of lists of token ids`);
  return prompts.map((prompt: unknown, i) => {
    const place = `prompts[${i}]`;
    if (typeof prompt === "string")
      throw new TypeError(`${place}: found a text, allowed token ids; give tokenizer.encode(text)`);
    const given =
      typeof prompt === "object" && prompt !== null && "input_ids" in prompt ? prompt.input_ids : prompt;
    const { data } = readIntegers(given, place, [["T"]], [0, vocab_size - 1]);
    if (data.length > 0 && data.length < max_model_len) return data;
    throw new RangeError(`${place}: found ${data.length} tokens, allowed 1 to ${max_model_len - 1}`);
  });
}
