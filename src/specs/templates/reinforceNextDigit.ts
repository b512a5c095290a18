import { languageModelMutation, TOURNAMENT } from "./common.ts";
import type { Template } from "./Template.ts";

export const reinforceNextDigit: Template = {
  id: "llmreinforce-next-digit",
  title: "Answer with the next digit (LLMREINFORCE)",
  description: "The same task without groups: each answer counts against the mean of its batch.",
  manifest: {
    algorithm: {
      name: "LLMREINFORCE",
      batch_size: 128,
      micro_batch_size_per_gpu: 32,
      lr: 0.000_01,
      beta: 0.001,
      temperature: 0.7,
      max_grad_norm: 1,
      max_output_tokens: 1,
      max_model_len: 32,
    },
    environment: {
      env_type: "rollout",
      name: "ConditionalTarget",
      entrypoint: "rlkit/ConditionalTarget",
      max_turns: 1,
      max_reward: 1,
    },
    network: { pretrained_model_name_or_path: "rlkit/tiny-digits", max_context_length: 32 },
    training: {
      hpo: true,
      pop_size: 4,
      max_steps: 65_536,
      evo_steps: 5,
      evaluation_interval: 5,
      eval_loop: 64,
      target_score: 0.95,
    },
    mutation: languageModelMutation({ lr: { min: 0.000_005, max: 0.001 } }),
    selection_strategy: TOURNAMENT,
  },
};
