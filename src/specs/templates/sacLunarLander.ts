import { LANDER_MEMORY, LONG_ACTOR_CRITIC_MUTATION, TOURNAMENT, WIDE_NETWORK } from "./common.ts";
import type { Template } from "./Template.ts";

export const sacLunarLander: Template = {
  id: "sac-lunarlander",
  title: "SAC LunarLander",
  description:
    "Two policies that stay as random as possible learn to land with continuous thrust. Takes many minutes.",
  manifest: {
    algorithm: {
      name: "SAC",
      batch_size: 128,
      lr_actor: 0.0003,
      lr_critic: 0.001,
      lr_alpha: 0.0003,
      learn_step: 1,
      gamma: 0.99,
      tau: 0.005,
    },
    // Lanes of 2,500 steps: a generation shows whole episodes.
    environment: { env_type: "gym", name: "LunarLanderContinuous-v3", num_envs: 8 },
    training: {
      hpo: true,
      pop_size: 2,
      max_steps: 300_000,
      evo_steps: 20_000,
      eval_loop: 2,
      target_score: 220,
      learning_delay: 5000,
    },
    network: WIDE_NETWORK,
    mutation: LONG_ACTOR_CRITIC_MUTATION,
    replay_buffer: LANDER_MEMORY,
    selection_strategy: TOURNAMENT,
  },
};
