/**
 * Ranges that `hpo` searches. They follow those that RL Baselines3 Zoo samples (Raffin 2020,
 * rl_zoo3/hyperparams_opt.py). Learning rates end at 0.01, because tuned ones of its agents reach 0.003 and networks
 * diverge far above that. PPO's batches and epochs allow more updates than there, for short runs; learning steps per transition end where runs would take many times as long.
 */
import type { SearchRange } from "./defineAlgorithm.ts";

const log = (min: number, max: number): SearchRange => ({ min, max, scale: "log" });

/** From rates of large models (Shao et al. 2024: 1e-6) to those of adapters of small ones, such as the templates'. */
const ADAPTER_RATE = log(1e-6, 1e-2);
/** Around the penalties of Ouyang et al. 2022 (0.02) and Shao et al. 2024 (0.04), down to about none. */
const PENALTY = log(1e-4, 0.1);

/** Language models that learn from groups of completions. */
export const GROUP_SEARCH = { lr: ADAPTER_RATE, beta: PENALTY, group_size: log(4, 16) } as const;
/** Language models that learn from rewards, without groups. */
export const REINFORCE_SEARCH = { lr: ADAPTER_RATE, beta: PENALTY } as const;
/** Language models that learn from rewards, with a critic. */
export const LANGUAGE_CRITIC_SEARCH = {
  lr_actor: ADAPTER_RATE,
  lr_critic: ADAPTER_RATE,
  beta: PENALTY,
} as const;
/** Language models that learn from the rewards of perturbed copies, from the noise of large models (Qiu et al. 2025: 1e-3). */
export const EVOLUTION_SEARCH = {
  lr: log(1e-4, 0.1),
  sigma: log(1e-3, 0.1),
  batch_size: log(4, 32),
  // Noise on an adapter is independent.
  rank: { ...log(1, 4), unless: "lora_config" },
} as const;
/** Language models that learn from labelled responses. */
export const RESPONSE_SEARCH = { lr: ADAPTER_RATE } as const;
/** Language models that learn from preferences; beta is around those of Rafailov et al. 2023 (0.1, 0.5). */
export const PREFERENCE_SEARCH = { lr: ADAPTER_RATE, beta: log(0.01, 1) } as const;

const RATE = log(1e-5, 1e-2);
const BATCH = log(32, 256);
const TAU = log(1e-3, 0.08);

/** Policy gradients with clipped ratios: PPO and what is made of it. */
export const POLICY_GRADIENT_SEARCH = {
  lr: RATE,
  batch_size: log(16, 512),
  ent_coef: log(1e-4, 0.1),
  clip_coef: log(0.1, 0.4),
  update_epochs: log(2, 32),
} as const;

/** Q-learning with a target network. */
export const Q_LEARNING_SEARCH = { lr: RATE, batch_size: BATCH, learn_step: log(1, 32), tau: TAU } as const;

/** Actors and critics that learn from a replay buffer. */
export const ACTOR_CRITIC_SEARCH = {
  lr_actor: RATE,
  lr_critic: RATE,
  batch_size: BATCH,
  learn_step: log(1, 32),
  tau: TAU,
} as const;
