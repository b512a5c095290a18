/**
 * Which algorithms share `training.max_steps`, from their definitions. The build of the workbench replaces this
 * file by its evaluated data (vite.config.ts), so that the first page loads no specs. Nothing here may change at
 * run time.
 */
import { DEFINITIONS } from "./names.ts";

/**
 * Algorithms whose `training.max_steps` is the total of the population: those of several agents that learn from
 * fresh rollouts, and of language models. For others it applies to each member.
 */
export const SHARED_STEPS: readonly string[] = DEFINITIONS.filter(
  ({ multi_agent, on_policy, language_model }) => (multi_agent && on_policy) || language_model,
).map(({ name }) => name);

/** Whether members share `training.max_steps`. */
export const sharesSteps = (algorithm: unknown): boolean => SHARED_STEPS.includes(String(algorithm));
