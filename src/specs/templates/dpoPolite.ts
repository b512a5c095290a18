import { languageModelMutation, TOURNAMENT } from "./common.ts";
import type { Template } from "./Template.ts";

export const dpoPolite: Template = {
  id: "dpo-polite",
  title: "Prefer the polite answer (DPO)",
  description: "Pairs of a polite and a rude answer teach four models which of the two to prefer.",
  manifest: {
    algorithm: { name: "DPO", batch_size: 16, lr: 0.0003, beta: 0.1, max_grad_norm: 1, max_model_len: 64 },
    environment: { env_type: "dataset", name: "polite", dataset: "rlkit/polite", objective: "preference" },
    network: { pretrained_model_name_or_path: "rlkit/tiny-letters", max_context_length: 64 },
    training: {
      hpo: true,
      pop_size: 4,
      max_steps: 4096,
      evo_steps: 10,
      evaluation_interval: 10,
      eval_loop: 4,
    },
    mutation: languageModelMutation({ lr: { min: 0.0001, max: 0.001 }, beta: { min: 0.05, max: 0.5 } }),
    selection_strategy: TOURNAMENT,
  },
};
