import { z } from "zod";
import { atLeast, count, field, fraction, hpoRangeOf } from "../field.ts";
import { SingleAgentAlgorithmSpec } from "./AlgorithmSpec.ts";
import { defineAlgorithm } from "./defineAlgorithm.ts";

/** Conservative Q-learning (Kumar et al. 2020), from a dataset. */
export const CQNSpec = z.strictObject({
  name: field(z.literal("CQN").default("CQN"), "Conservative Q-learning from a dataset."),
  ...SingleAgentAlgorithmSpec.shape,
  learn_step: field(
    count(1).default(5),
    "Environment steps for each learning step; no effect with a dataset.",
    {
      unit: "steps",
      advanced: true,
      effect: false,
    },
  ),
  lr: field(atLeast(0).default(1e-4), "Learning rate of Adam.", {
    step: "log",
    hpo: hpoRangeOf(6.25e-5, 0.01),
  }),
  tau: field(
    fraction().default(0.001),
    "Fraction of the online network blended into the target network after each learning step.",
    { step: "log", hpo: hpoRangeOf(1e-4, 0.01) },
  ),
  double: field(
    z.boolean().default(false),
    "Chooses the next action with the online network and values it with the target network.",
  ),
  alpha: field(
    atLeast(0).default(1),
    "Weight of the conservative term; 0 gives plain Q-learning on the data.",
    {
      step: "log",
      hpo: hpoRangeOf(0.1, 10),
      rlkit_only: true,
    },
  ),
  conservative: field(
    z.enum(["dataset", "all_actions"]).default("dataset"),
    "What the conservative term subtracts: the value of the data's action, or the mean over all actions.",
    { rlkit_only: true },
  ),
});
export type CQNSpec = z.output<typeof CQNSpec>;
export type CQNSpecInput = z.input<typeof CQNSpec>;

export const CQN_DEFINITION = defineAlgorithm({
  name: "CQN",
  title: "Conservative Q-learning",
  schema: CQNSpec,
  offline: true,
  env_types: ["offline"],
  evo_steps: 5_000,
  default_hp: ["lr", "batch_size"],
});
