import { ACTOR_CRITIC_MUTATION, PLAIN_NETWORK, TOURNAMENT } from "./common.ts";
import type { Template } from "./Template.ts";

export const td3MountainCar: Template = {
  id: "td3-mountaincar",
  title: "TD3 MountainCar",
  description: "Two deterministic policies rock a car up a hill; noise that drifts shows them the top.",
  manifest: {
    algorithm: {
      name: "TD3",
      batch_size: 128,
      lr_actor: 0.001,
      lr_critic: 0.001,
      learn_step: 1,
      gamma: 0.99,
      tau: 0.005,
      policy_freq: 2,
      // With less noise, or independent draws, the flag is not found, and standing still costs least.
      O_U_noise: true,
      expl_noise: 0.5,
    },
    environment: { env_type: "gym", name: "MountainCarContinuous-v0", num_envs: 1 },
    training: {
      hpo: true,
      pop_size: 2,
      max_steps: 100_000,
      evo_steps: 10_000,
      eval_loop: 20,
      target_score: 90,
      learning_delay: 1000,
    },
    network: PLAIN_NETWORK,
    mutation: ACTOR_CRITIC_MUTATION,
    replay_buffer: { kind: "classic", max_size: 100_000 },
    selection_strategy: TOURNAMENT,
  },
};
