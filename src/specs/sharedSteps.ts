/**
 * Algorithms whose `training.max_steps` is what the population takes together; of others each member takes so many. By
 * name, so that pages may ask without the specs.
 */
const SHARED: readonly string[] = ["IPPO", "GRPO", "GSPO", "CISPO", "LLMPPO", "LLMREINFORCE", "DPO", "SFT"];

/** Whether members share `training.max_steps`: several agents that learn from fresh roll-outs, and language models. */
export const sharesSteps = (algorithm: unknown): boolean =>
  typeof algorithm === "string" && SHARED.includes(algorithm);
