import { DQN_MUTATION, SMALL_NETWORK, TOURNAMENT } from "./common.ts";
import type { Template } from "./Template.ts";

export const dqnCartPole: Template = {
  id: "dqn-cartpole",
  title: "DQN CartPole",
  description: "Four Q-learners balance a pole; evolution tunes their learning rates and batches.",
  manifest: {
    algorithm: {
      name: "DQN",
      batch_size: 64,
      lr: 0.001,
      learn_step: 4,
      gamma: 0.99,
      tau: 0.01,
      double: true,
    },
    environment: { env_type: "gym", name: "CartPole-v1", num_envs: 16 },
    training: {
      hpo: true,
      pop_size: 4,
      max_steps: 60_000,
      evo_steps: 4000,
      target_score: 475,
      learning_delay: 1000,
      eps_start: 1,
      eps_end: 0.04,
      eps_decay: 0.995,
    },
    network: SMALL_NETWORK,
    mutation: DQN_MUTATION,
    replay_buffer: { kind: "classic", max_size: 100_000 },
    selection_strategy: TOURNAMENT,
  },
};
