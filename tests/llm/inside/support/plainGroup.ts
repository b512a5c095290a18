/** GRPO, GSPO and CISPO number by number in f64 (llm.md A1.1). */
import type { GroupSpec } from "../../../../src/llm/algorithms/groupChoices.ts";
import {
  average,
  deviation,
  type PlainSequence,
  type PlainToken,
  tokensOf,
  total,
} from "./plainSequences.ts";

/** Advantage of each turn of each sequence. */
export function plainGroupAdvantages(sequences: readonly PlainSequence[], spec: GroupSpec): number[][] {
  const normal = (value: number, among: readonly number[]): number => {
    const centred = value - average(among);
    return spec.adv_norm === "mean_only" ? centred : centred / (deviation(among) + 1e-8);
  };
  const returnOf = (sequence: PlainSequence) => total(sequence.map(({ reward }) => reward));
  const level = spec.loss_type === "gspo" ? "trajectory" : spec.importance_sampling_level;
  const byTurn =
    spec.advantage_granularity === "turn" || (spec.advantage_granularity === "auto" && level === "turn");
  let advantages = sequences.map((sequence, i) => {
    const first = i - (i % spec.group_size);
    const group = sequences.slice(first, first + spec.group_size).filter(({ length }) => length > 0);
    const whole = normal(returnOf(sequence), group.map(returnOf));
    return sequence.map(({ turn, reward }) => {
      if (!byTurn) return whole;
      const players = group.flat().filter((other) => other.turn === turn);
      if (players.length < 2) return spec.turn_advantage_trajectory_fallback ? whole : 0;
      return normal(
        reward,
        players.map((other) => other.reward),
      );
    });
  });
  if (spec.whiten_advantages) {
    // One advantage of a trajectory counts once, however many turns it has.
    const all = byTurn ? advantages.flat() : advantages.flatMap((own) => own.slice(0, 1));
    const scale = 1 / Math.sqrt(deviation(all) ** 2 + 1e-8);
    advantages = advantages.map((own) => own.map((a) => (a - average(all)) * scale));
  }
  const most = spec.adv_clip_range;
  return most === null
    ? advantages
    : advantages.map((own) => own.map((a) => Math.sign(a) * Math.min(most, Math.abs(a))));
}

/** Ratio of each token of each turn. */
function ratiosOf(sequence: PlainSequence, spec: GroupSpec): number[][] {
  const logs = sequence.map(({ tokens }) => tokens.map(({ logProb, old }) => logProb - old));
  const level = spec.loss_type === "gspo" ? "trajectory" : (spec.importance_sampling_level ?? "token");
  const whole = average(logs.flat());
  return logs.map((turn) => {
    const one = average(turn);
    return turn.map((log) => Math.exp(level === "token" ? log : level === "turn" ? one : whole));
  });
}

export function plainPenalty(
  { logProb, reference }: PlainToken,
  { kl_estimator }: { readonly kl_estimator: "rlkit" | "k3" },
): number {
  const d = kl_estimator === "k3" ? reference - logProb : logProb - reference;
  return Math.exp(d) - d - 1;
}

const clipped = (x: number, low: number, high: number): number => Math.min(high, Math.max(low, x));

export interface PlainGroupLoss {
  readonly loss: number;
  readonly kl: number;
  readonly completion_length: number;
  readonly ratio_error: number;
}

export function plainGroup(
  sequences: readonly PlainSequence[],
  spec: GroupSpec,
  counts: (row: number) => boolean = () => true,
): PlainGroupLoss {
  const advantages = plainGroupAdvantages(sequences, spec);
  const [low, high] =
    typeof spec.clip_coef === "number" ? [1 - spec.clip_coef, 1 + spec.clip_coef] : spec.clip_coef;
  const played = sequences
    .map((sequence, row) => ({ sequence, own: advantages[row] ?? [], row }))
    .filter(({ sequence, row }) => sequence.length > 0 && counts(row));
  const kept = played.filter(
    ({ own }) => !spec.filter_zero_adv || own.some((a) => Math.abs(a) > spec.adv_filter_eps),
  );
  const terms = kept.map(({ sequence, own }) => {
    const ratios = ratiosOf(sequence, spec);
    const mean = average(tokensOf(sequence).map((token) => plainPenalty(token, spec)));
    return sequence.flatMap(({ tokens }, k) =>
      tokens.map((token, t) => {
        const ratio = ratios[k]?.[t] ?? Number.NaN;
        const kl = plainPenalty(token, spec) * (spec.use_bias_correction_kl ? ratio : 1);
        const shaped = spec.use_kl_advantage_shaping;
        const advantage = (own[k] ?? Number.NaN) + (shaped ? spec.beta * (mean - kl) : 0);
        const limited = clipped(ratio, low, high);
        const policy =
          spec.loss_type === "cispo"
            ? -limited * advantage * token.logProb
            : -Math.min(ratio * advantage, limited * advantage);
        return { loss: policy + (shaped ? 0 : spec.beta * kl), kl };
      }),
    );
  });
  const bySequence =
    spec.loss_norm === "micro_batch" && !["bnpo", "dapo", "dr_grpo"].includes(spec.loss_type);
  const mean = (of: (term: { loss: number; kl: number }) => number): number =>
    bySequence ? average(terms.map((own) => average(own.map(of)))) : average(terms.flat().map(of));
  const all = total(terms.flat().map(({ loss }) => loss));
  const isKept = (row: number): boolean =>
    !spec.filter_zero_adv || (advantages[row] ?? []).some((a) => Math.abs(a) > spec.adv_filter_eps);
  const lengths = sequences.map((sequence, row) => (isKept(row) ? tokensOf(sequence).length : 0));
  const losses: Readonly<Record<string, number>> = {
    // Of the batch's tokens, the micro-batch has as large a share as of its rows.
    dapo: all / ((total(lengths) * sequences.filter((_, row) => counts(row)).length) / sequences.length),
    dr_grpo: all / (kept.length * (spec.max_output_tokens ?? spec.max_model_len)),
  };
  const tokens = played.flatMap(({ sequence }) => tokensOf(sequence));
  return {
    loss: losses[spec.loss_type] ?? mean(({ loss }) => loss),
    kl: mean(({ kl }) => kl),
    completion_length: average(played.map(({ sequence }) => tokensOf(sequence).length)),
    ratio_error: Math.max(0, ...tokens.map(({ logProb, old }) => Math.abs(Math.exp(logProb - old) - 1))),
  };
}
