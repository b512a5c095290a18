import { FLOWERS } from "../builtInData.ts";
import { TOURNAMENT, VALUE_MUTATION } from "./common.ts";
import type { Template } from "./Template.ts";

export const neuralUcbFlowers: Template = {
  id: "neural-ucb-flowers",
  title: "NeuralUCB flowers",
  description: "Four bandits learn from the rewards of their guesses which of three kinds a flower is.",
  manifest: {
    algorithm: { name: "NeuralUCB", lr: 0.001, batch_size: 64 },
    environment: { env_type: "bandit", name: "Flowers", num_envs: 1, features: FLOWERS, targets: FLOWERS },
    training: {
      hpo: true,
      pop_size: 4,
      max_steps: 2500,
      episode_steps: 50,
      evo_steps: 50,
      eval_steps: 200,
      target_score: 0.99,
    },
    replay_buffer: { kind: "classic", max_size: 10_000 },
    mutation: VALUE_MUTATION,
    selection_strategy: TOURNAMENT,
  },
};
