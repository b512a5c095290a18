import { SMALL_NETWORK, TEAM_PPO_MUTATION, TOURNAMENT } from "./common.ts";
import type { Template } from "./Template.ts";

export const ippoSpread: Template = {
  id: "ippo-spread",
  title: "IPPO Spread",
  description: "Three agents share one policy and learn to spread over three landmarks.",
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
    environment: { env_type: "gym", name: "simple_spread_v3", num_envs: 16 },
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
