import { PPO_MUTATION, TANH_NETWORK, TOURNAMENT } from "./common.ts";
import type { Template } from "./Template.ts";

export const ppoCartPole: Template = {
  id: "ppo-cartpole",
  title: "PPO CartPole",
  description: "Four policies learn to hold a pole upright within seconds.",
  manifest: {
    algorithm: {
      name: "PPO",
      batch_size: 64,
      lr: 0.0024,
      learn_step: 256,
      gamma: 0.99,
      gae_lambda: 0.95,
      clip_coef: 0.2,
      ent_coef: 0.001,
      vf_coef: 1,
      max_grad_norm: 5,
      // Many epochs over short rollouts; target_kl ends a learning phase early.
      update_epochs: 20,
      target_kl: 0.02,
      share_encoders: false,
    },
    // Lanes of 512 steps: a generation shows whole episodes, and so states far from the start.
    environment: { env_type: "gym", name: "CartPole-v1", num_envs: 4 },
    training: {
      hpo: true,
      pop_size: 4,
      max_steps: 50_000,
      evo_steps: 2048,
      eval_loop: 2,
      target_score: 475,
    },
    network: TANH_NETWORK,
    mutation: PPO_MUTATION,
    selection_strategy: TOURNAMENT,
  },
};
