import { PPO_MUTATION, TOURNAMENT } from "./common.ts";
import type { Template } from "./Template.ts";

export const ppoPendulum: Template = {
  id: "ppo-pendulum",
  title: "PPO Pendulum",
  description: "Four policies with continuous torque swing a pendulum up and keep it there.",
  manifest: {
    algorithm: {
      name: "PPO",
      batch_size: 128,
      lr: 0.001,
      learn_step: 4096,
      gamma: 0.9,
      gae_lambda: 0.95,
      clip_coef: 0.2,
      ent_coef: 0.001,
      vf_coef: 0.5,
      update_epochs: 10,
      share_encoders: false,
    },
    environment: { env_type: "gym", name: "Pendulum-v1", num_envs: 16 },
    training: { hpo: true, pop_size: 4, max_steps: 200_000, evo_steps: 16_384, target_score: -200 },
    network: {
      latent_dim: 64,
      encoder_config: { hidden_size: [64], activation: "Tanh" },
      head_config: { hidden_size: [64], activation: "Tanh" },
    },
    mutation: PPO_MUTATION,
    selection_strategy: TOURNAMENT,
  },
};
