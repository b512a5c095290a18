import { DQN_MUTATION, PLAIN_NETWORK, TOURNAMENT } from "./common.ts";
import type { Template } from "./Template.ts";

export const dqnCartPole: Template = {
  id: "dqn-cartpole",
  title: "DQN CartPole",
  description: "Four Q-learners balance a pole; evolution tunes their learning rates and batches.",
  manifest: {
    algorithm: {
      name: "DQN",
      batch_size: 64,
      lr: 0.0023,
      learn_step: 2,
      gamma: 0.99,
      // Targets follow within tens of learning steps: slower ones prolong the plateau before a score of 500.
      tau: 0.05,
      double: false,
    },
    // Lanes of 500 steps: a generation shows whole episodes.
    environment: { env_type: "gym", name: "CartPole-v1", num_envs: 4 },
    training: {
      hpo: true,
      pop_size: 4,
      max_steps: 60_000,
      evo_steps: 2000,
      eval_loop: 2,
      target_score: 475,
      eps_start: 1,
      eps_end: 0.04,
      eps_decay: 0.998,
    },
    network: PLAIN_NETWORK,
    mutation: DQN_MUTATION,
    replay_buffer: { kind: "classic", max_size: 100_000 },
    selection_strategy: TOURNAMENT,
  },
};
