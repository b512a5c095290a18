import { LANDER_MEMORY, LONG_ACTOR_CRITIC_MUTATION, TOURNAMENT, WIDE_NETWORK } from "./common.ts";
import type { Template } from "./Template.ts";

export const td3LunarLander: Template = {
  id: "td3-lunarlander",
  title: "TD3 LunarLander",
  description:
    "Two deterministic policies learn to land with continuous thrust; twin critics prevent overestimation. Takes many minutes.",
  manifest: {
    algorithm: {
      name: "TD3",
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
    // Lanes of 5,000 steps: a generation shows whole episodes.
    environment: { env_type: "gym", name: "LunarLanderContinuous-v3", num_envs: 8 },
    training: {
      hpo: true,
      pop_size: 2,
      max_steps: 300_000,
      // Hovering scores best at first: with selection every 10,000 steps, a population of 2 keeps hovering.
      evo_steps: 40_000,
      eval_loop: 2,
      target_score: 220,
      learning_delay: 10_000,
    },
    network: WIDE_NETWORK,
    mutation: LONG_ACTOR_CRITIC_MUTATION,
    replay_buffer: LANDER_MEMORY,
    selection_strategy: TOURNAMENT,
  },
};
