/** LLMPPO and LLMREINFORCE number by number in f64 (llm.md A1.2, A1.3, and the decisions on units). */
import type { LLMPPOSpec, LLMREINFORCESpec } from "../../../src/manifests/index.ts";
import { plainPenalty } from "../inside/support/plainGroup.ts";
import {
  average,
  deviation,
  type PlainSequence,
  type PlainToken,
  tokensOf,
} from "../inside/support/plainSequences.ts";

type Level = "token" | "turn" | "trajectory";

interface Unit {
  readonly tokens: readonly PlainToken[];
  readonly reward: number;
}

function unitsOf(sequence: PlainSequence, level: Level): Unit[] {
  if (level === "turn") return [...sequence];
  if (level === "trajectory") return sequence.length === 0 ? [] : [{ tokens: tokensOf(sequence), reward: 0 }];
  return sequence.flatMap(({ tokens, reward }) =>
    tokens.map((token, i) => ({ tokens: [token], reward: i === tokens.length - 1 ? reward : 0 })),
  );
}

const granularityOf = (
  sequences: readonly PlainSequence[],
  { advantage_granularity: level }: LLMPPOSpec | LLMREINFORCESpec,
): "token" | "turn" => {
  if (level !== "auto") return level;
  return sequences.every(({ length }) => length <= 1) ? "token" : "turn";
};

interface PlainAdvantages {
  /** Of each token. */
  readonly advantage: ReadonlyMap<PlainToken, number>;
  /** Units that advantages cover, with what a value loss needs. */
  readonly valued: readonly { value: number; oldValue: number; target: number; row: number }[];
}

export function plainGae(sequences: readonly PlainSequence[], spec: LLMPPOSpec): PlainAdvantages {
  const level = granularityOf(sequences, spec);
  const valueOf = ({ tokens }: Unit, of: (token: PlainToken) => number): number => {
    const values = tokens.map(of);
    return spec.turn_value_reduction === "mean" ? average(values) : (values.at(-1) ?? Number.NaN);
  };
  const found = sequences.flatMap((sequence, row) => {
    const units = unitsOf(sequence, level);
    const deltas = units.map((unit, k) => {
      const after = units[k + 1];
      const next = after ? valueOf(after, (t) => t.oldValue) : 0;
      return unit.reward + spec.gamma * next - valueOf(unit, (t) => t.oldValue);
    });
    return units.map((unit, k) => {
      // The sum that the recursion stands for.
      const advantage = deltas
        .slice(k)
        .reduce((sum, delta, i) => sum + (spec.gamma * spec.gae_lambda) ** i * delta, 0);
      const oldValue = valueOf(unit, (t) => t.oldValue);
      return {
        unit,
        row,
        advantage,
        oldValue,
        value: valueOf(unit, (t) => t.value),
        target: advantage + oldValue,
      };
    });
  });
  const all = found.map(({ advantage }) => advantage);
  const scale = 1 / Math.sqrt(deviation(all) ** 2 + 1e-8);
  const white = (a: number) => (spec.whiten_advantages ? (a - average(all)) * scale : a);
  return {
    advantage: new Map(
      found.flatMap(({ unit, advantage }) => unit.tokens.map((token) => [token, white(advantage)] as const)),
    ),
    valued: found,
  };
}

export function plainReturns(
  sequences: readonly PlainSequence[],
  spec: LLMREINFORCESpec,
): ReadonlyMap<PlainToken, number> {
  const level = granularityOf(sequences, spec);
  const found = sequences.flatMap((sequence) => {
    const units = unitsOf(sequence, level);
    const rewards = units.map(
      ({ tokens, reward }) => reward - spec.beta * tokens.reduce((sum, t) => sum + t.old - t.reference, 0),
    );
    return units.map((unit, k) => ({
      unit,
      value: rewards.slice(k).reduce((sum, reward, i) => sum + spec.gamma ** i * reward, 0),
    }));
  });
  const all = found.map(({ value }) => value);
  return new Map(
    found.flatMap(({ unit, value }) =>
      unit.tokens.map((token) => [token, (value - average(all)) / (deviation(all) + 1e-8)] as const),
    ),
  );
}

function surrogate(
  sequences: readonly PlainSequence[],
  level: Level,
  advantage: ReadonlyMap<PlainToken, number>,
  { turn_ratio_pooling, clip_coef }: LLMPPOSpec | LLMREINFORCESpec,
): { loss: number; clipfrac: number } {
  const units = sequences.flatMap((sequence) => unitsOf(sequence, level));
  const terms = units.map(({ tokens }) => {
    const logs = tokens.map(({ logProb, old }) => logProb - old);
    const sum = logs.reduce((a, b) => a + b, 0);
    const ratio = Math.exp(turn_ratio_pooling === "mean" ? sum / logs.length : sum);
    const a = average(tokens.map((token) => advantage.get(token) ?? Number.NaN));
    const limited = Math.min(1 + clip_coef, Math.max(1 - clip_coef, ratio));
    return { loss: Math.max(-a * ratio, -a * limited), outside: Math.abs(ratio - 1) > clip_coef ? 1 : 0 };
  });
  return { loss: average(terms.map((t) => t.loss)), clipfrac: average(terms.map((t) => t.outside)) };
}

const tokenMetrics = (sequences: readonly PlainSequence[]) => {
  const tokens = sequences.flatMap(tokensOf);
  const played = sequences.filter(({ length }) => length > 0);
  return {
    entropy: average(tokens.map(({ logProb }) => -logProb)),
    completion_length: average(played.map((sequence) => tokensOf(sequence).length)),
    ratio_error: Math.max(0, ...tokens.map(({ logProb, old }) => Math.abs(Math.exp(logProb - old) - 1))),
  };
};

/** `counts` says which rows stand in the micro-batch; advantages are of the whole batch. */
export function plainPpo(
  sequences: readonly PlainSequence[],
  spec: LLMPPOSpec,
  counts: (row: number) => boolean = () => true,
) {
  const { advantage, valued } = plainGae(sequences, spec);
  const own = sequences.filter((_, row) => counts(row));
  const level =
    spec.importance_sampling_level !== "auto"
      ? spec.importance_sampling_level
      : spec.turn_level_clip
        ? granularityOf(sequences, spec)
        : "token";
  const { loss: pg_loss, clipfrac } = surrogate(own, level, advantage, spec);
  const errors = valued
    .filter(({ row }) => counts(row))
    .map(({ value, oldValue, target }) => {
      const moved = Math.min(spec.clip_coef, Math.max(-spec.clip_coef, value - oldValue));
      return Math.max((target - value) ** 2, (target - oldValue - moved) ** 2);
    });
  const vf_loss = 0.5 * spec.vf_coef * average(errors);
  const kl = average(own.flatMap(tokensOf).map((token) => plainPenalty(token, spec)));
  return { loss: pg_loss + vf_loss + spec.beta * kl, pg_loss, vf_loss, kl, clipfrac, ...tokenMetrics(own) };
}

export function plainReinforce(
  sequences: readonly PlainSequence[],
  spec: LLMREINFORCESpec,
  counts: (row: number) => boolean = () => true,
) {
  const own = sequences.filter((_, row) => counts(row));
  const level = spec.importance_sampling_level;
  const { loss } = surrogate(own, level, plainReturns(sequences, spec), spec);
  const kl = average(own.flatMap(tokensOf).map(({ logProb, reference }) => logProb - reference));
  return { loss, kl, ...tokenMetrics(own) };
}
