import { ACTOR_CRITIC_MUTATION, PLAIN_NETWORK, TOURNAMENT } from "./common.ts";
import type { Template } from "./Template.ts";

export const matd3Spread: Template = {
  id: "matd3-spread",
  title: "MATD3 Spread",
  description:
    "Three agents learn to cover three landmarks without running into each other, pushing as hard as they like.",
  manifest: {
    algorithm: {
      name: "MATD3",
      batch_size: 256,
      lr_actor: 0.001,
      lr_critic: 0.001,
      learn_step: 16,
      gamma: 0.95,
      tau: 0.01,
    },
    environment: {
      env_type: "gym",
      name: "simple_spread_v3",
      num_envs: 16,
      env_config: { continuous_actions: true },
    },
    training: {
      hpo: true,
      pop_size: 2,
      max_steps: 400_000,
      evo_steps: 4000,
      eval_loop: 2,
    },
    network: PLAIN_NETWORK,
    mutation: ACTOR_CRITIC_MUTATION,
    replay_buffer: { kind: "classic", max_size: 100_000 },
    selection_strategy: TOURNAMENT,
  },
};
