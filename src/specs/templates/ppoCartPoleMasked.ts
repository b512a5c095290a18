import { PPO_RECURRENT_MUTATION, TOURNAMENT } from "./common.ts";
import type { Template } from "./Template.ts";

export const ppoCartPoleMasked: Template = {
  id: "ppo-cartpole-masked",
  title: "PPO CartPole from memory",
  description:
    "Two policies with LSTMs see where cart and pole are, but not how fast, and learn to remember. Takes a minute.",
  manifest: {
    algorithm: {
      name: "PPO",
      recurrent: true,
      max_seq_len: 16,
      bptt_sequence_type: "chunked",
      // Sequences, not steps.
      batch_size: 16,
      lr: 0.001,
      learn_step: 1024,
      gamma: 0.99,
      gae_lambda: 0.95,
      clip_coef: 0.2,
      ent_coef: 0.001,
      vf_coef: 0.5,
      max_grad_norm: 0.5,
      update_epochs: 4,
      share_encoders: true,
    },
    environment: { env_type: "gym", name: "rlkit/CartPole-masked-v1", num_envs: 8 },
    training: {
      hpo: true,
      pop_size: 2,
      max_steps: 500_000,
      evo_steps: 8192,
      eval_loop: 2,
      target_score: 450,
    },
    network: {
      latent_dim: 64,
      encoder_config: { arch: "lstm", hidden_state_size: 64, num_layers: 1 },
      head_config: { hidden_size: [64] },
    },
    mutation: PPO_RECURRENT_MUTATION,
    selection_strategy: TOURNAMENT,
  },
};
