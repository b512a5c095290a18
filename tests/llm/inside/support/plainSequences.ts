/** The same batches as lists of tokens: what the losses written number by number read. */
import type { DatasetBatch, RolloutBatch } from "../../../../src/llm/algorithms/contract.ts";

export interface PlainToken {
  /** log pi under the policy that learns, the one that acted, the reference. */
  readonly logProb: number;
  readonly old: number;
  readonly reference: number;
  /** The critic's value: as it learns, as it acted. */
  readonly value: number;
  readonly oldValue: number;
}

export interface PlainTurn {
  readonly turn: number;
  readonly reward: number;
  readonly tokens: readonly PlainToken[];
}

/** Turns of one sequence, each with at least one token. */
export type PlainSequence = readonly PlainTurn[];

export const tokensOf = (sequence: PlainSequence): PlainToken[] => sequence.flatMap(({ tokens }) => tokens);

export interface PlainInputs {
  readonly batch: RolloutBatch | DatasetBatch;
  readonly log_probs: ArrayLike<number>;
  readonly values?: ArrayLike<number>;
}

/** Sequences of a batch, empty where nothing was generated. A response is one turn. */
export function plainSequences({ batch, log_probs, values }: PlainInputs): PlainSequence[] {
  const rollout = "turn_ids" in batch ? batch : null;
  return Array.from({ length: batch.rows }, (_, row) => {
    const turns = new Map<number, PlainToken[]>();
    for (let at = row * batch.columns; at < (row + 1) * batch.columns; at++) {
      if (batch.action_mask[at] !== 1) continue;
      const token = {
        logProb: log_probs[at] ?? 0,
        old: rollout?.old_log_probs[at] ?? 0,
        reference: batch.reference_log_probs?.[at] ?? 0,
        value: values?.[at] ?? 0,
        oldValue: rollout?.values?.[at] ?? 0,
      };
      const turn = rollout?.turn_ids[at] ?? 0;
      turns.set(turn, [...(turns.get(turn) ?? []), token]);
    }
    return [...turns].map(([turn, tokens]) => ({
      turn,
      reward: rollout?.rewards[row * rollout.turns + turn] ?? 0,
      tokens,
    }));
  });
}

export const total = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
export const average = (values: readonly number[]): number =>
  values.length === 0 ? 0 : total(values) / values.length;

/** Unbiased; 0 for fewer than two. */
export function deviation(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const mean = average(values);
  return Math.sqrt(total(values.map((v) => (v - mean) ** 2)) / (values.length - 1));
}
