import { ACTOR_CRITIC_MUTATION, PLAIN_NETWORK, TOURNAMENT } from "./common.ts";
import type { Template } from "./Template.ts";

export const sacPendulum: Template = {
  id: "sac-pendulum",
  title: "SAC Pendulum",
  description: "Two policies that stay as random as possible swing a pendulum up.",
  manifest: {
    algorithm: {
      name: "SAC",
      batch_size: 128,
      lr_actor: 0.001,
      lr_critic: 0.001,
      lr_alpha: 0.001,
      learn_step: 1,
      gamma: 0.98,
      tau: 0.01,
    },
    environment: { env_type: "gym", name: "Pendulum-v1", num_envs: 1 },
    training: {
      hpo: true,
      pop_size: 2,
      max_steps: 30_000,
      evo_steps: 5000,
      eval_loop: 20,
      target_score: -180,
      learning_delay: 1000,
    },
    network: PLAIN_NETWORK,
    mutation: ACTOR_CRITIC_MUTATION,
    replay_buffer: { kind: "classic", max_size: 100_000 },
    selection_strategy: TOURNAMENT,
  },
};
