import { CARTPOLE_RULE } from "../builtInData.ts";
import { SMALL_NETWORK, TOURNAMENT, VALUE_MUTATION } from "./common.ts";
import type { Template } from "./Template.ts";

export const cqnCartPole: Template = {
  id: "cqn-cartpole",
  title: "CQN CartPole",
  description:
    "Four Q-learners learn to balance a pole from the recorded steps of a clumsy rule, without acting themselves.",
  manifest: {
    algorithm: { name: "CQN", double: true, lr: 0.001, tau: 0.005, batch_size: 128 },
    // The steps of the rule are generated when the run starts.
    environment: { env_type: "offline", name: "CartPole-v1", num_envs: 4, dataset_path: CARTPOLE_RULE },
    training: {
      hpo: true,
      pop_size: 4,
      max_steps: 10_000,
      evo_steps: 100,
      eval_loop: 2,
      target_score: 475,
    },
    network: SMALL_NETWORK,
    mutation: VALUE_MUTATION,
    selection_strategy: TOURNAMENT,
  },
};
