import { PPO_MUTATION, TOURNAMENT } from "./common.ts";
import type { Template } from "./Template.ts";

export const ppoBreakout: Template = {
  id: "ppo-breakout",
  title: "PPO Breakout (MinAtar)",
  description:
    "Two policies with convolutions see a small screen and play Breakout. Takes a few minutes: some 200,000 steps each.",
  manifest: {
    algorithm: {
      name: "PPO",
      batch_size: 256,
      lr: 0.001,
      learn_step: 2048,
      gamma: 0.99,
      gae_lambda: 0.95,
      clip_coef: 0.2,
      ent_coef: 0.01,
      vf_coef: 0.5,
      max_grad_norm: 0.5,
      update_epochs: 4,
      share_encoders: true,
    },
    environment: { env_type: "gym", name: "MinAtar/Breakout-v1", num_envs: 16 },
    training: {
      hpo: true,
      pop_size: 2,
      max_steps: 2_000_000,
      evo_steps: 40_960,
      eval_steps: 1000,
      target_score: 12,
    },
    network: {
      latent_dim: 64,
      encoder_config: { arch: "cnn", channel_size: [16], kernel_size: [3], stride_size: [1] },
      head_config: { hidden_size: [64] },
    },
    mutation: PPO_MUTATION,
    selection_strategy: TOURNAMENT,
  },
};
