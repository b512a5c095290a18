import { DQN_MUTATION, TOURNAMENT, WIDE_NETWORK } from "./common.ts";
import type { Template } from "./Template.ts";

export const dqnLunarLander: Template = {
  id: "dqn-lunarlander",
  title: "DQN LunarLander",
  description: "Four Q-learners learn to land between two flags. Takes minutes: some 100,000 steps each.",
  manifest: {
    algorithm: {
      name: "DQN",
      batch_size: 64,
      lr: 0.0005,
      learn_step: 2,
      gamma: 0.99,
      tau: 0.005,
      double: true,
    },
    // Lanes of 1,250 steps: a generation shows whole episodes.
    environment: { env_type: "gym", name: "LunarLander-v3", num_envs: 8 },
    training: {
      hpo: true,
      pop_size: 4,
      max_steps: 500_000,
      evo_steps: 10_000,
      target_score: 220,
      learning_delay: 1000,
      eps_start: 1,
      eps_end: 0.05,
      eps_decay: 0.9995,
    },
    network: WIDE_NETWORK,
    mutation: DQN_MUTATION,
    replay_buffer: { kind: "classic", max_size: 200_000 },
    selection_strategy: TOURNAMENT,
  },
};
