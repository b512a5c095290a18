import { z } from "zod";
import { atLeast, field, fraction, hpoRangeOf } from "../field.ts";
import { SingleAgentAlgorithmSpec } from "./AlgorithmSpec.ts";
import { defineAlgorithm } from "./defineAlgorithm.ts";

/** Deep Q-learning (Mnih et al. 2015), optionally with double Q targets (van Hasselt et al. 2016). */
export const DQNSpec = z.strictObject({
  name: field(z.literal("DQN").default("DQN"), "Deep Q-learning."),
  ...SingleAgentAlgorithmSpec.shape,
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
  cudagraphs: field(z.boolean().default(false), "CUDA graphs of the Python relative.", {
    advanced: true,
    effect: false,
  }),
});
export type DQNSpec = z.output<typeof DQNSpec>;
export type DQNSpecInput = z.input<typeof DQNSpec>;

export const DQN_DEFINITION = defineAlgorithm({
  name: "DQN",
  title: "Deep Q-learning",
  schema: DQNSpec,
  off_policy: true,
  epsilon_greedy: true,
});
