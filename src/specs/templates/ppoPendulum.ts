import { PPO_CONTINUOUS_MUTATION, TANH_NETWORK, TOURNAMENT } from "./common.ts";
import type { Template } from "./Template.ts";

export const ppoPendulum: Template = {
  id: "ppo-pendulum",
  title: "PPO Pendulum",
  description: "Four policies with continuous torque swing a pendulum up and keep it there.",
  manifest: {
    algorithm: {
      name: "PPO",
      batch_size: 64,
      // At 0.001, agents pass 40,000 steps earlier but drift away again by step 200,000.
      lr: 0.0003,
      learn_step: 1024,
      gamma: 0.9,
      gae_lambda: 0.95,
      clip_coef: 0.2,
      ent_coef: 0,
      vf_coef: 0.5,
      max_grad_norm: 0.5,
      update_epochs: 10,
      share_encoders: false,
    },
    environment: { env_type: "gym", name: "Pendulum-v1", num_envs: 4 },
    training: {
      hpo: true,
      pop_size: 4,
      max_steps: 200_000,
      evo_steps: 8192,
      eval_loop: 4,
      target_score: -200,
    },
    network: TANH_NETWORK,
    mutation: PPO_CONTINUOUS_MUTATION,
    selection_strategy: TOURNAMENT,
  },
};
