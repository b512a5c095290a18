/** Encodes rows as examples within the context, and pads them on the right to one length. */
import { reasonOf } from "../../storage/files.ts";
import type { EncodeRow, Example } from "./examples.ts";
import type { ShapedArray } from "./readArray.ts";
import type { Row } from "./rows.ts";

export interface ExampleLimits {
  /** Upper bound on the ids of prompt and answer together; `null` means no limit. */
  readonly max_context_length: number | null;
  /** Ids that a prompt must leave for its answer. */
  readonly min_completion_length: number;
}

/** Why a pair is not used. */
export const EQUAL_ANSWERS = "chosen and rejected are equal, so there is nothing to prefer";

/** An example, and the row that it was read from. */
export interface EncodedRow extends Example {
  readonly row: Row;
}

export interface EncodedRows {
  /** Those with prompts within the limit. */
  readonly examples: readonly EncodedRow[];
  /** Number of rows whose prompts are too long. */
  readonly dropped: number;
  /** Why each row that cannot be encoded cannot, with its number. */
  readonly faults: readonly RowReason[];
  /** Number of examples whose answers were cut at the limit. */
  readonly cut: number;
}

export interface RowReason {
  /** From 1. */
  readonly row: number;
  readonly reason: string;
}

/** What becomes of a row: it is used, its answer is cut, it is dropped because its prompt is too long, or it is unusable. */
export type RowFate =
  | {
      readonly kind: "used" | "cut" | "dropped";
      /** The whole row. */
      readonly example: Example;
      /** Number of ids that the limit leaves for an answer. */
      readonly room: number;
    }
  | { readonly kind: "fault"; readonly reason: string };

/** Encodes a row, and compares it with the limits. @internal */
export function encodeRow(
  row: Row,
  encode: EncodeRow,
  { max_context_length, min_completion_length }: ExampleLimits,
): RowFate {
  try {
    const example = encode(row);
    const room = (max_context_length ?? Infinity) - example.prompt.length;
    if (room < min_completion_length) return { kind: "dropped", example, room };
    const [first, ...others] = example.answers;
    const kept = first?.subarray(0, room);
    const isEqual = (answer: Int32Array): boolean =>
      Math.min(answer.length, room) === kept?.length && kept.every((id, i) => id === answer[i]);
    const cut = example.answers.some((answer) => answer.length > room);
    if (others.length > 0 && others.every(isEqual))
      return {
        kind: "fault",
        reason: cut
          ? `chosen and rejected are equal up to max_context_length ${max_context_length}`
          : EQUAL_ANSWERS,
      };
    return { kind: cut ? "cut" : "used", example, room };
  } catch (error) {
    return { kind: "fault", reason: reasonOf(error) };
  }
}

/** @internal */
export function encodeExamples(rows: readonly Row[], encode: EncodeRow, limits: ExampleLimits): EncodedRows {
  const fates = rows.map((row) => encodeRow(row, encode, limits));
  const counted = (kind: RowFate["kind"]): number => fates.filter((fate) => fate.kind === kind).length;
  return {
    examples: fates.flatMap((fate, i): readonly EncodedRow[] => {
      const row = rows[i] ?? {};
      if (fate.kind === "fault" || fate.kind === "dropped") return [];
      const { room, example } = fate;
      const { answers, own } = example;
      const kept = answers.map((answer) => answer.subarray(0, room));
      return [{ ...example, row, answers: kept, ...(own && { own: own.subarray(0, room) }) }];
    }),
    dropped: counted("dropped"),
    cut: counted("cut"),
    faults: fates.flatMap((fate, i) => (fate.kind === "fault" ? [{ row: i + 1, reason: fate.reason }] : [])),
  };
}

/** Prompts with target responses: B rows of T ids. */
export interface SftBatch {
  /** Prompt, response, eos: [B, T]. */
  readonly input_ids: ShapedArray<Int32Array>;
  /** 1 up to the end of the response: [B, T]. */
  readonly attention_mask: ShapedArray<Int32Array>;
  /** [B]. */
  readonly prompt_lengths: Int32Array;
  /** Given for conversations of several turns; 1 where the assistant wrote the next id: [B, T - 1]. */
  readonly action_mask?: ShapedArray<Int32Array>;
}

/** Prompts with responses that are each desirable or not. */
export interface UnpairedBatch extends Omit<SftBatch, "action_mask"> {
  /** 1 for a desirable response, 0 for an undesirable one: [B]. */
  readonly labels: Int32Array;
}

/** Prompts with a chosen and a rejected response, all padded to one length: B pairs of T ids. */
export interface PreferenceBatch {
  /** [B, T], like the other three. */
  readonly chosen_input_ids: ShapedArray<Int32Array>;
  readonly chosen_attention_mask: ShapedArray<Int32Array>;
  readonly rejected_input_ids: ShapedArray<Int32Array>;
  readonly rejected_attention_mask: ShapedArray<Int32Array>;
  /** [B]. */
  readonly prompt_lengths: Int32Array;
}

const lengthWith = ({ prompt, answers }: Example, side: number): number =>
  prompt.length + (answers[side]?.length ?? 0);

/** The ids of one side of the examples, and their mask. */
function padded(examples: readonly Example[], side: number, length: number, pad_token_id: number) {
  const ids = new Int32Array(examples.length * length).fill(pad_token_id);
  const mask = new Int32Array(ids.length);
  for (const [row, example] of examples.entries()) {
    const start = row * length;
    ids.set(example.prompt, start);
    ids.set(example.answers[side] ?? [], start + example.prompt.length);
    mask.fill(1, start, start + lengthWith(example, side));
  }
  const shape = [examples.length, length];
  return { input_ids: { shape, data: ids }, attention_mask: { shape, data: mask } };
}

const promptLengths = (examples: readonly Example[]): Int32Array =>
  Int32Array.from(examples, ({ prompt }) => prompt.length);

/** 1 where the next id is the assistant's: [B, T - 1]. */
function ownMask(examples: readonly Example[], length: number): ShapedArray<Int32Array> {
  const columns = length - 1;
  const mask = new Int32Array(examples.length * columns);
  for (const [row, { prompt, answers, own }] of examples.entries())
    for (let i = 0; i < (answers[0]?.length ?? 0); i++)
      if (prompt.length + i > 0) mask[row * columns + prompt.length + i - 1] = own?.[i] ?? 1;
  return { shape: [examples.length, columns], data: mask };
}

/** @internal */
export function sftBatch(examples: readonly Example[], pad_token_id: number): SftBatch {
  const length = Math.max(...examples.map((example) => lengthWith(example, 0)));
  return {
    ...padded(examples, 0, length, pad_token_id),
    prompt_lengths: promptLengths(examples),
    ...(examples.some(({ own }) => own !== undefined) ? { action_mask: ownMask(examples, length) } : {}),
  };
}

/** @internal */
export const unpairedBatch = (examples: readonly Example[], pad_token_id: number): UnpairedBatch => ({
  ...sftBatch(examples, pad_token_id),
  labels: Int32Array.from(examples, ({ label }) => Number(label)),
});

/** @internal */
export function preferenceBatch(examples: readonly Example[], pad_token_id: number): PreferenceBatch {
  const length = Math.max(...examples.flatMap((example) => [0, 1].map((side) => lengthWith(example, side))));
  const chosen = padded(examples, 0, length, pad_token_id);
  const rejected = padded(examples, 1, length, pad_token_id);
  return {
    chosen_input_ids: chosen.input_ids,
    chosen_attention_mask: chosen.attention_mask,
    rejected_input_ids: rejected.input_ids,
    rejected_attention_mask: rejected.attention_mask,
    prompt_lengths: promptLengths(examples),
  };
}

const idsOf = ({ prompt, answers }: Example): readonly Int32Array[] => [prompt, ...answers];

/** Keys of rows as a model reads them: lengths, then ids. @internal */
export const EXAMPLE_KEYS: readonly ((example: Example) => string)[] = [
  (example) =>
    idsOf(example)
      .map((ids) => ids.length)
      .join(),
  (example) =>
    idsOf(example)
      .map((ids) => ids.join())
      .join("/"),
];
