import { mutationOf, TOURNAMENT } from "./evolution.ts";
import type { Template } from "./Template.ts";

export const dqnAcrobot: Template = {
  id: "dqn-acrobot",
  title: "DQN Acrobot",
  description: "Four Q-learners find the rhythm that swings a two-link arm above the line.",
  manifest: {
    algorithm: {
      name: "DQN",
      batch_size: 128,
      lr: 0.00063,
      learn_step: 4,
      gamma: 0.99,
      tau: 0.01,
      double: true,
    },
    environment: { env_type: "gym", name: "Acrobot-v1", num_envs: 16 },
    training: {
      hpo: true,
      pop_size: 4,
      max_steps: 100_000,
      evo_steps: 10_000,
      target_score: -80,
      learning_delay: 1000,
      eps_start: 1,
      eps_end: 0.1,
      eps_decay: 0.997,
    },
    network: { latent_dim: 64, encoder_config: { hidden_size: [64] }, head_config: { hidden_size: [64] } },
    mutation: mutationOf({
      lr: { min: 0.0001, max: 0.01 },
      batch_size: { min: 16, max: 256 },
      learn_step: { min: 1, max: 10, grow_factor: 1.5, shrink_factor: 0.75 },
    }),
    replay_buffer: { kind: "classic", max_size: 100_000 },
    selection_strategy: TOURNAMENT,
  },
};
