import { PPO_MUTATION, TANH_NETWORK, TOURNAMENT } from "./common.ts";
import type { Template } from "./Template.ts";

export const ppoAcrobot: Template = {
  id: "ppo-acrobot",
  title: "PPO Acrobot",
  description: "Four policies swing a two-link arm above the line as fast as they can.",
  manifest: {
    algorithm: {
      name: "PPO",
      batch_size: 64,
      lr: 0.0024,
      learn_step: 256,
      gamma: 0.99,
      gae_lambda: 0.95,
      clip_coef: 0.2,
      ent_coef: 0.01,
      vf_coef: 1,
      max_grad_norm: 5,
      update_epochs: 20,
      target_kl: 0.02,
      share_encoders: false,
    },
    environment: { env_type: "gym", name: "Acrobot-v1", num_envs: 8 },
    training: {
      hpo: true,
      pop_size: 4,
      max_steps: 150_000,
      evo_steps: 4096,
      eval_loop: 2,
      target_score: -85,
    },
    network: TANH_NETWORK,
    mutation: PPO_MUTATION,
    selection_strategy: TOURNAMENT,
  },
};
