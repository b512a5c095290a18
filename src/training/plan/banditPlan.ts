/** How bandits train: in turns of a fixed number of choices, with evolution after some of them. */
import type { RunPlan } from "../rl/RunPlan.ts";

/** Default number of choices in an evaluation. */
const EVAL_STEPS = 100;

/** Bandits explore by their uncertainty, without epsilon, and learn as soon as there is a batch. */
export const BANDIT: NonNullable<RunPlan["off_policy"]> = {
  learning_delay: 0,
  eps_end: 0,
  eps_decay: 1,
  memory: { n_step: 1, alpha: null },
};

export type BanditRhythm = Pick<RunPlan, "evo_steps" | "eval_steps" | "evolve_every" | "mean_rewards">;

/**
 * A turn has `episode_steps` choices. Evolution follows after `evo_steps` choices, rounded up to whole turns.
 */
export const banditRhythm = ({
  evo_steps,
  episode_steps,
  eval_steps,
}: {
  readonly evo_steps: number;
  readonly episode_steps: number;
  readonly eval_steps: number | null;
}): BanditRhythm => ({
  evo_steps: episode_steps,
  evolve_every: Math.max(1, Math.ceil(evo_steps / episode_steps)),
  eval_steps: eval_steps ?? EVAL_STEPS,
  mean_rewards: true,
});
