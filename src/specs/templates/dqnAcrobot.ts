import { DQN_MUTATION, SMALL_NETWORK, TOURNAMENT } from "./common.ts";
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
    network: SMALL_NETWORK,
    mutation: DQN_MUTATION,
    replay_buffer: { kind: "classic", max_size: 100_000 },
    selection_strategy: TOURNAMENT,
  },
};
