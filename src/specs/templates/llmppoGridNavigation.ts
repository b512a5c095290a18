import { languageModelMutation, TOURNAMENT } from "./common.ts";
import type { Template } from "./Template.ts";

export const llmppoGridNavigation: Template = {
  id: "llmppo-walk-to-target",
  title: "Walk to the target (LLMPPO, 5 turns)",
  description:
    "A model chooses one step per turn and is told its position; a critic judges which turns were good.",
  manifest: {
    algorithm: {
      name: "LLMPPO",
      batch_size: 128,
      micro_batch_size_per_gpu: 32,
      lr_actor: 0.001,
      lr_critic: 0.002,
      beta: 0.001,
      // Later rewards count less, so that short paths are better and the critic's values are informative.
      gamma: 0.98,
      gae_lambda: 0.95,
      max_output_tokens: 1,
      max_model_len: 64,
    },
    environment: {
      env_type: "rollout",
      name: "GridNavigation",
      entrypoint: "rlkit/GridNavigation",
      max_turns: 5,
      max_reward: 1,
    },
    network: { pretrained_model_name_or_path: "rlkit/tiny-digits", max_context_length: 64 },
    training: {
      hpo: true,
      pop_size: 4,
      max_steps: 98_304,
      evo_steps: 5,
      evaluation_interval: 5,
      eval_loop: 32,
      // Compared with the mean reward per turn, which is 0.57 if every path is the shortest.
      target_score: 0.53,
    },
    mutation: languageModelMutation({
      lr_actor: { min: 0.0006, max: 0.002 },
      lr_critic: { min: 0.001, max: 0.004 },
    }),
    selection_strategy: TOURNAMENT,
  },
};
