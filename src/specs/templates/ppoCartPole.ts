import { PPO_MUTATION, SMALL_NETWORK, TOURNAMENT } from "./common.ts";
import type { Template } from "./Template.ts";

export const ppoCartPole: Template = {
  id: "ppo-cartpole",
  title: "PPO CartPole",
  description: "Four policies learn to hold a pole upright within seconds.",
  manifest: {
    algorithm: {
      name: "PPO",
      batch_size: 256,
      lr: 0.001,
      learn_step: 512,
      gamma: 0.98,
      gae_lambda: 0.8,
      clip_coef: 0.2,
      ent_coef: 0.001,
      vf_coef: 0.5,
      update_epochs: 20,
    },
    environment: { env_type: "gym", name: "CartPole-v1", num_envs: 16 },
    training: { hpo: true, pop_size: 4, max_steps: 50_000, evo_steps: 5120, target_score: 475 },
    network: SMALL_NETWORK,
    mutation: PPO_MUTATION,
    selection_strategy: TOURNAMENT,
  },
};
