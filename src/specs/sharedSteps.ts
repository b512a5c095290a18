/**
 * Algorithms whose `training.max_steps` is the total of the population; for others it applies to each member.
 * Plain names, so that pages can check them without loading the specs.
 */
const SHARED: readonly string[] = ["IPPO", "GRPO", "GSPO", "CISPO", "LLMPPO", "LLMREINFORCE", "DPO", "SFT"];

/** Whether members share `training.max_steps`: several agents that learn from fresh rollouts, and language models. */
export const sharesSteps = (algorithm: unknown): boolean =>
  typeof algorithm === "string" && SHARED.includes(algorithm);
