/** Batches as passed to `learn`. */

import type { AlgorithmDefinition } from "../../specs/algorithms.ts";
import type { PreferenceBatch, SftBatch } from "../data/batches.ts";
import { type NumberArray, readElements, readFloats, readIntegers } from "../data/readArray.ts";
import { type RewardFault, readReward } from "../environments/rewards.ts";
import { readSequences, type TokenLimits } from "../inference/readTokens.ts";
import { labelledSequences } from "./DatasetRunner.ts";
import type { Experiences, LabelledSequences } from "./learntBatches.ts";

/** Sequences that a policy generated: n rows of T tokens. The rows of a group are consecutive. */
export interface RolloutExperiences {
  /** [n, T]. */
  readonly input_ids: NumberArray;
  /** 1 for tokens, 0 for padding: [n, T] (default: no padding). */
  readonly attention_mask?: NumberArray | null;
  /** 1 where the policy generated the next token: [n, T - 1]. */
  readonly action_mask: NumberArray;
  /** The turn of those columns, from 0, and -1 elsewhere: [n, T - 1] (default: a single turn). */
  readonly turn_ids?: NumberArray | null;
  /**
   * Per sequence [n], credited to its last turn, or per turn [n, turns]. A sequence with a reward that is no finite number
   * is left out, with a warning; booleans count as 1 and 0.
   */
  readonly rewards: NumberArray;
  /** Log-probability of the next token under the policy that acted: [n, T - 1]. Computed if missing. */
  readonly old_log_probs?: NumberArray | null;
  /** The same under the reference policy. */
  readonly reference_log_probs?: NumberArray | null;
}

/** Prompts with responses, padded on the right: B rows of T tokens. */
export interface SftExperiences {
  /** [B, T]. */
  readonly input_ids: NumberArray;
  /** [B, T]. */
  readonly attention_mask: NumberArray;
  /** Tokens of each prompt: [B]. */
  readonly prompt_lengths: NumberArray;
  /** 1 where the next token is learnt: [B, T - 1] (default: behind the prompt). */
  readonly action_mask?: NumberArray | null;
}

/** Prompts with responses that are each desirable or not, padded on the right: B rows of T tokens, at least 2. */
export interface UnpairedExperiences extends Omit<SftExperiences, "action_mask"> {
  /** 1 for a desirable response, 0 for an undesirable one: [B]. */
  readonly labels: NumberArray;
}

/** Prompts with a chosen and a rejected response, padded on the right to one length: B pairs of T tokens. */
export interface PreferenceExperiences {
  /** [B, T], like the other three. */
  readonly chosen_input_ids: NumberArray;
  readonly chosen_attention_mask: NumberArray;
  readonly rejected_input_ids: NumberArray;
  readonly rejected_attention_mask: NumberArray;
  /** Tokens of each prompt: [B]. */
  readonly prompt_lengths: NumberArray;
}

const at = (name: string): string => `experiences.${name}`;

const isGiven = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined;

function requireBatch(experiences: unknown): void {
  if (typeof experiences !== "object" || experiences === null)
    throw new TypeError(`experiences: found ${String(experiences)}, allowed an object of arrays`);
}

function tokensOf(
  side: { readonly input_ids?: NumberArray; readonly attention_mask?: NumberArray | null },
  limits: TokenLimits,
  prefix = "",
) {
  const names = { input_ids: at(`${prefix}input_ids`), attention_mask: at(`${prefix}attention_mask`) };
  const sequences = readSequences(side, limits, names);
  if (sequences.length > 1) return sequences;
  throw new RangeError(`${names.input_ids}: found sequences of 1 token, allowed at least 2`);
}

/** Rewards per turn, [n, turns], with as many turns as `turn_ids` has. */
function turnRewards(rewards: NumberArray, turn_ids: Int32Array, rows: number, faults: RewardFault[]) {
  const { shape, data } = readElements(rewards, at("rewards"), [[rows], [rows, "turns"]], (reward) =>
    readReward(reward, at("rewards"), faults),
  );
  const columns = turn_ids.length / rows;
  const played = turn_ids.reduce((most, turn) => Math.max(most, turn + 1), 1);
  const [, turns = played] = shape;
  if (turns < played)
    throw new RangeError(
      `${at("turn_ids")}: found turn ${played - 1}, allowed 0 to ${turns - 1}, since rewards have ${turns} turns`,
    );
  if (shape.length === 2) return { turns, rewards: data };
  const spread = new Float32Array(rows * turns);
  for (const [row, reward] of data.entries()) {
    const last = turn_ids.subarray(row * columns, (row + 1) * columns).reduce((a, b) => Math.max(a, b), 0);
    spread[row * turns + last] = reward;
  }
  return { turns, rewards: spread };
}

/**
 * @param faults Gets what is no number in `rewards`.
 * @throws TypeError or RangeError naming a missing or invalid array.
 */
export function readRollouts(
  experiences: RolloutExperiences,
  limits: TokenLimits,
  faults: RewardFault[] = [],
): Experiences {
  requireBatch(experiences);
  const sequences = tokensOf(experiences, limits);
  const shape = [sequences.rows, sequences.length - 1];
  const action_mask = Float32Array.from(
    readIntegers(experiences.action_mask, at("action_mask"), [shape], [0, 1]).data,
  );
  const turn_ids = isGiven(experiences.turn_ids)
    ? readIntegers(experiences.turn_ids, at("turn_ids"), [shape], [-1, 2 ** 16]).data
    : Int32Array.from(action_mask, (own) => own - 1);
  const stray = action_mask.findIndex((own, i) => own === 1 && (turn_ids[i] ?? -1) < 0);
  if (stray >= 0) {
    const place = `[${Math.floor(stray / (shape[1] ?? 1))}][${stray % (shape[1] ?? 1)}]`;
    throw new RangeError(`${at("turn_ids")}${place}: found -1 where action_mask is 1, allowed a turn from 0`);
  }
  const logProbs = (name: "old_log_probs" | "reference_log_probs"): Float32Array | undefined =>
    isGiven(experiences[name]) ? readFloats(experiences[name], at(name), [shape]).data : undefined;
  return {
    sequences,
    action_mask,
    turn_ids,
    ...turnRewards(experiences.rewards, turn_ids, sequences.rows, faults),
    old_log_probs: logProbs("old_log_probs"),
    reference_log_probs: logProbs("reference_log_probs"),
  };
}

function promptLengths(given: NumberArray, rows: number, length: number): Int32Array {
  return readIntegers(given, at("prompt_lengths"), [[rows]], [0, length]).data;
}

const shaped = (rows: number, length: number, data: Int32Array) => ({ shape: [rows, length], data });

/** @throws TypeError or RangeError naming a missing or invalid array. */
export function readResponses(experiences: SftExperiences, limits: TokenLimits): LabelledSequences {
  requireBatch(experiences);
  const { rows, length, input_ids, attention_mask } = tokensOf(experiences, limits);
  const shape = [rows, length - 1];
  const own = isGiven(experiences.action_mask)
    ? readIntegers(experiences.action_mask, at("action_mask"), [shape], [0, 1]).data
    : null;
  return labelledSequences({
    ...(own === null ? {} : { action_mask: { shape, data: own } }),
    input_ids: shaped(rows, length, input_ids),
    attention_mask: shaped(rows, length, attention_mask),
    prompt_lengths: promptLengths(experiences.prompt_lengths, rows, length),
  } satisfies SftBatch);
}

/** @throws TypeError or RangeError naming a missing or invalid array. */
export function readPairs(experiences: PreferenceExperiences, limits: TokenLimits): LabelledSequences {
  requireBatch(experiences);
  const { chosen_input_ids, chosen_attention_mask, rejected_input_ids, rejected_attention_mask } =
    experiences;
  const chosen = tokensOf(
    { input_ids: chosen_input_ids, attention_mask: chosen_attention_mask },
    limits,
    "chosen_",
  );
  const rejected = tokensOf(
    { input_ids: rejected_input_ids, attention_mask: rejected_attention_mask },
    limits,
    "rejected_",
  );
  const { rows, length } = chosen;
  if (rejected.rows !== rows || rejected.length !== length)
    throw new RangeError(
      `${at("rejected_input_ids")}: found shape [${rejected.rows}, ${rejected.length}], allowed [${rows}, ${length}], that of chosen_input_ids`,
    );
  return labelledSequences({
    chosen_input_ids: shaped(rows, length, chosen.input_ids),
    chosen_attention_mask: shaped(rows, length, chosen.attention_mask),
    rejected_input_ids: shaped(rows, length, rejected.input_ids),
    rejected_attention_mask: shaped(rows, length, rejected.attention_mask),
    prompt_lengths: promptLengths(experiences.prompt_lengths, rows, length),
  } satisfies PreferenceBatch);
}

/** @throws TypeError or RangeError naming a missing or invalid array. */
export function readUnpaired(experiences: UnpairedExperiences, limits: TokenLimits): LabelledSequences {
  const responses = readResponses(experiences, limits);
  const { rows } = responses.sequences;
  if (rows < 2)
    throw new RangeError(
      `${at("input_ids")}: found 1 row, allowed at least 2: each response is also read behind another's prompt`,
    );
  const { data } = readIntegers(experiences.labels, at("labels"), [[rows]], [0, 1]);
  return { ...responses, labels: Float32Array.from(data) };
}

/** Readers of batches of labelled rows, by the objective that an algorithm's definition names. */
export const labelledReaders = {
  preference: readPairs,
  unpaired: readUnpaired,
  sft: readResponses,
} satisfies Record<NonNullable<AlgorithmDefinition["objective"]>, unknown>;
