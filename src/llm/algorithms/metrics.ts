/** Metric names of language-model algorithms, available without loading their mathematics. */

const group = ["loss", "kl", "completion_length", "ratio_error"] as const;

export const LLM_METRICS = {
  GRPO: group,
  GSPO: group,
  CISPO: group,
  LLMPPO: ["loss", "pg_loss", "vf_loss", "kl", "entropy", "clipfrac", "completion_length", "ratio_error"],
  LLMREINFORCE: ["loss", "kl", "entropy", "completion_length", "ratio_error"],
  DPO: ["loss", "chosen_reward", "rejected_reward", "reward_margin"],
  SFT: ["loss", "perplexity"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

const byName: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(LLM_METRICS));

/** The metrics of an algorithm; `undefined` for one that does not train language models. */
export const llmMetricsOf = (name: string): readonly string[] | undefined => byName.get(name);
