import { languageModelMutation, TOURNAMENT } from "./common.ts";
import type { Template } from "./Template.ts";

export const sftBackwards: Template = {
  id: "sft-backwards",
  title: "Write it backwards (SFT)",
  description: "Four small language models copy examples until they reverse words that they have never seen.",
  manifest: {
    algorithm: { name: "SFT", batch_size: 32, lr: 0.002, max_grad_norm: 1, max_model_len: 32 },
    environment: { env_type: "dataset", name: "backwards", dataset: "rlkit/backwards", objective: "sft" },
    network: { pretrained_model_name_or_path: "rlkit/tiny-letters", max_context_length: 32 },
    training: {
      hpo: true,
      pop_size: 4,
      max_steps: 115_200,
      evo_steps: 50,
      evaluation_interval: 25,
      eval_loop: 4,
      // Compared with the mean log-likelihood per token: nearly all words are right above about -0.01.
      target_score: -0.005,
    },
    mutation: languageModelMutation({ lr: { min: 0.0003, max: 0.003 } }),
    selection_strategy: TOURNAMENT,
  },
};
