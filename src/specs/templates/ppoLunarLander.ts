import { PPO_MUTATION, TANH_NETWORK, TOURNAMENT } from "./common.ts";
import type { Template } from "./Template.ts";

export const ppoLunarLander: Template = {
  id: "ppo-lunarlander",
  title: "PPO LunarLander",
  description: "Four policies learn to land between two flags. Takes minutes: some 500,000 steps each.",
  manifest: {
    algorithm: {
      name: "PPO",
      batch_size: 64,
      lr: 0.0003,
      learn_step: 16_384,
      gamma: 0.999,
      gae_lambda: 0.98,
      clip_coef: 0.2,
      ent_coef: 0.01,
      vf_coef: 0.5,
      max_grad_norm: 0.5,
      update_epochs: 4,
      share_encoders: false,
    },
    // Lanes of 1,024 steps: a generation shows whole episodes.
    environment: { env_type: "gym", name: "LunarLander-v3", num_envs: 16 },
    training: {
      hpo: true,
      pop_size: 4,
      max_steps: 1_000_000,
      evo_steps: 16_384,
      target_score: 220,
    },
    network: TANH_NETWORK,
    mutation: PPO_MUTATION,
    selection_strategy: TOURNAMENT,
  },
};
