import { SMALL_NETWORK, TEAM_PPO_MUTATION, TOURNAMENT } from "./common.ts";
import type { Template } from "./Template.ts";

export const ippoTag: Template = {
  id: "ippo-tag",
  title: "IPPO Tag",
  description: "Three slow hunters learn to corner a faster runner, which learns to get away.",
  manifest: {
    algorithm: {
      name: "IPPO",
      batch_size: 128,
      lr: 0.001,
      learn_step: 2048,
      gamma: 0.95,
      gae_lambda: 0.95,
      clip_coef: 0.2,
      ent_coef: 0.01,
      update_epochs: 4,
    },
    environment: { env_type: "gym", name: "simple_tag_v3", num_envs: 16 },
    training: {
      hpo: true,
      pop_size: 2,
      max_steps: 1_000_000,
      evo_steps: 8192,
      eval_loop: 2,
    },
    network: SMALL_NETWORK,
    mutation: TEAM_PPO_MUTATION,
    selection_strategy: TOURNAMENT,
  },
};
