import { SMALL_NETWORK, TOURNAMENT, VALUE_MUTATION } from "./common.ts";
import type { Template } from "./Template.ts";

export const dqnMountainCar: Template = {
  id: "dqn-mountaincar",
  title: "DQN MountainCar",
  description: "Four Q-learners rock an underpowered car up a hill, with a reward only at the top.",
  manifest: {
    algorithm: {
      name: "DQN",
      batch_size: 128,
      lr: 0.001,
      learn_step: 2,
      gamma: 0.99,
      tau: 0.005,
      // Overestimated actions are tried out: with double Q-learning, the top of the hill is rarely found.
      double: false,
    },
    environment: { env_type: "gym", name: "MountainCar-v0", num_envs: 16 },
    training: {
      hpo: true,
      pop_size: 4,
      max_steps: 200_000,
      evo_steps: 10_000,
      target_score: -110,
      learning_delay: 1000,
      eps_start: 1,
      eps_end: 0.07,
      eps_decay: 0.9985,
    },
    network: SMALL_NETWORK,
    mutation: VALUE_MUTATION,
    replay_buffer: { kind: "classic", max_size: 100_000 },
    selection_strategy: TOURNAMENT,
  },
};
