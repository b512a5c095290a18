/** DPO and SFT number by number in f64 (llm.md A1.4, A1.5). */
import { average, type PlainSequence, tokensOf, total } from "../inside/support/plainSequences.ts";

export function plainDpo(
  sequences: readonly PlainSequence[],
  { beta, nll_alpha }: { readonly beta: number; readonly nll_alpha: number },
) {
  const rewards = sequences.map(
    (s) => beta * total(tokensOf(s).map(({ logProb, reference }) => logProb - reference)),
  );
  const chosen = rewards.filter((_, row) => row % 2 === 0);
  const rejected = rewards.filter((_, row) => row % 2 === 1);
  const margins = chosen.map((reward, i) => reward - (rejected[i] ?? Number.NaN));
  const tokens = sequences.filter((_, row) => row % 2 === 0).flatMap(tokensOf);
  const nll = -average(tokens.map(({ logProb }) => logProb));
  return {
    loss: average(margins.map((margin) => Math.log(1 + Math.exp(-margin)))) + nll_alpha * nll,
    chosen_reward: average(chosen),
    rejected_reward: average(rejected),
    reward_margin: average(margins),
  };
}

export function plainSft(sequences: readonly PlainSequence[]) {
  const loss = -average(sequences.flatMap(tokensOf).map(({ logProb }) => logProb));
  return { loss, perplexity: Math.exp(loss) };
}
