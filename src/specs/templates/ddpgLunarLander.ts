import { ACTOR_CRITIC_MUTATION, LANDER_MEMORY, TOURNAMENT, WIDE_NETWORK } from "./common.ts";
import type { Template } from "./Template.ts";

export const ddpgLunarLander: Template = {
  id: "ddpg-lunarlander",
  title: "DDPG LunarLander",
  description:
    "Two deterministic policies learn to land with continuous thrust, each taught by its own critic. Takes many minutes.",
  manifest: {
    algorithm: {
      name: "DDPG",
      batch_size: 128,
      lr_actor: 0.0003,
      lr_critic: 0.001,
      learn_step: 1,
      gamma: 0.99,
      tau: 0.002,
      policy_freq: 2,
      O_U_noise: true,
      expl_noise: 0.3,
    },
    // Lanes of 1,250 steps: a generation shows whole episodes.
    environment: { env_type: "gym", name: "LunarLanderContinuous-v3", num_envs: 8 },
    training: {
      hpo: true,
      pop_size: 2,
      max_steps: 300_000,
      evo_steps: 10_000,
      eval_loop: 2,
      target_score: 220,
      learning_delay: 10_000,
    },
    network: WIDE_NETWORK,
    mutation: ACTOR_CRITIC_MUTATION,
    replay_buffer: LANDER_MEMORY,
    selection_strategy: TOURNAMENT,
  },
};
