/** DPO, KTO and SFT number by number in f64 (llm.md A1.4, A1.5). */

import { average, type PlainSequence, tokensOf, total } from "../inside/support/plainSequences.ts";
import type { SpecOf } from "./specs.ts";

export function plainDpo(
  sequences: readonly PlainSequence[],
  { beta, nll_alpha, loss_type, label_smoothing, simpo_gamma, reference_free }: SpecOf<"DPO">,
) {
  const means = ["ipo", "simpo", "orpo"].includes(loss_type);
  const isFree = reference_free || loss_type === "simpo" || loss_type === "orpo";
  const combined = means ? average : total;
  const rewards = sequences.map(
    (s) => beta * combined(tokensOf(s).map((token) => token.logProb - (isFree ? 0 : token.reference))),
  );
  const chosen = rewards.filter((_, row) => row % 2 === 0);
  const rejected = rewards.filter((_, row) => row % 2 === 1);
  const margins = chosen.map((reward, i) => reward - (rejected[i] ?? Number.NaN));
  const logProbOf = (side: number): number =>
    average(
      sequences
        .filter((_, row) => row % 2 === side)
        .flatMap(tokensOf)
        .map(({ logProb }) => logProb),
    );
  const minusLogSigma = (x: number): number => Math.log(1 + Math.exp(-x));
  const losses = {
    sigmoid: (m: number) => (1 - label_smoothing) * minusLogSigma(m) + label_smoothing * minusLogSigma(-m),
    ipo: (m: number) => (m / beta - 1 / (2 * beta)) ** 2,
    hinge: (m: number) => Math.max(0, 1 - m),
    simpo: (m: number) => minusLogSigma(m - simpo_gamma),
    orpo: (_: number, pair: number) => {
      const odds = [chosen, rejected].map((side) => {
        const p = Math.exp((side[pair] ?? Number.NaN) / beta);
        return p / Math.max(1 - p, 1e-6);
      });
      return beta * minusLogSigma(Math.log((odds[0] ?? Number.NaN) / (odds[1] ?? Number.NaN)));
    },
  };
  return {
    loss: average(margins.map(losses[loss_type])) - nll_alpha * logProbOf(0),
    chosen_reward: average(chosen),
    rejected_reward: average(rejected),
    reward_margin: average(margins),
    chosen_log_prob: logProbOf(0),
    rejected_log_prob: logProbOf(1),
  };
}

export function plainSft(sequences: readonly PlainSequence[]) {
  const loss = -average(sequences.flatMap(tokensOf).map(({ logProb }) => logProb));
  return { loss, perplexity: Math.exp(loss) };
}

/**
 * The loss of TRL's KTOTrainer (`kto_loss`), from sums over each response's tokens.
 *
 * @param mismatched Responses behind prompts of others.
 */
export function plainKto(
  sequences: readonly PlainSequence[],
  labels: readonly number[],
  mismatched: readonly PlainSequence[],
  { beta, desirable_weight, undesirable_weight }: SpecOf<"KTO">,
) {
  const ratioOf = (sequence: PlainSequence): number =>
    total(tokensOf(sequence).map(({ logProb, reference }) => logProb - reference));
  const kl = Math.max(0, average(mismatched.map(ratioOf)));
  const sigma = (x: number): number => 1 / (1 + Math.exp(-x));
  const side = (label: number): readonly PlainSequence[] =>
    sequences.filter((_, row) => labels[row] === label);
  const desirable = side(1).map((one) => desirable_weight * (1 - sigma(beta * (ratioOf(one) - kl))));
  const undesirable = side(0).map((one) => undesirable_weight * (1 - sigma(beta * (kl - ratioOf(one)))));
  const rewardOf = (label: number): number => average(side(label).map((one) => beta * ratioOf(one)));
  const logProbOf = (label: number): number =>
    average(
      side(label)
        .flatMap(tokensOf)
        .map(({ logProb }) => logProb),
    );
  return {
    loss: average([...desirable, ...undesirable]),
    kl,
    chosen_reward: rewardOf(1),
    rejected_reward: rewardOf(0),
    reward_margin: rewardOf(1) - rewardOf(0),
    chosen_log_prob: logProbOf(1),
    rejected_log_prob: logProbOf(0),
  };
}
