import { SMALL_NETWORK, TOURNAMENT, VALUE_MUTATION } from "./common.ts";
import type { Template } from "./Template.ts";

export const rainbowCartPole: Template = {
  id: "rainbow-cartpole",
  title: "Rainbow CartPole",
  description: "Two agents with noisy, distributional values learn from the most surprising of their steps.",
  manifest: {
    algorithm: {
      name: "RainbowDQN",
      batch_size: 64,
      lr: 0.001,
      learn_step: 4,
      gamma: 0.99,
      tau: 0.02,
      // A pole that never falls is worth 1 / (1 - gamma).
      v_min: 0,
      v_max: 100,
      num_atoms: 51,
      noise_std: 0.5,
      n_step: 3,
    },
    environment: { env_type: "gym", name: "CartPole-v1", num_envs: 4 },
    training: {
      hpo: true,
      pop_size: 2,
      max_steps: 60_000,
      evo_steps: 2000,
      eval_loop: 4,
      target_score: 475,
      learning_delay: 500,
    },
    network: SMALL_NETWORK,
    mutation: VALUE_MUTATION,
    replay_buffer: {
      kind: "classic",
      max_size: 100_000,
      per_buffer: true,
      per_buffer_args: { alpha: 0.6 },
      n_step_buffer: true,
      n_step_buffer_args: { n_step: 3 },
    },
    selection_strategy: TOURNAMENT,
  },
};
