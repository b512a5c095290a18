import { z } from "zod";
import { atLeast, field, hpoRangeOf, integer } from "../field.ts";
import { SingleAgentAlgorithmSpec } from "./AlgorithmSpec.ts";
import { defineAlgorithm } from "./defineAlgorithm.ts";

const shapeOf = (lr: number) => ({
  ...SingleAgentAlgorithmSpec.shape,
  gamma: field(atLeast(0).default(1), "Weight of exploration."),
  lamb: field(atLeast(0).default(1), "Regularisation of the confidence bound's matrix."),
  reg: field(atLeast(0).default(0.000625), "Strength of regularisation towards the initial weights.", {
    step: "log",
  }),
  learn_step: field(integer(1).default(2), "Learning steps for each step of the bandit.", {
    unit: "steps",
    hpo: hpoRangeOf(1, 10, 1.5, 0.75),
  }),
  lr: field(atLeast(0).default(lr), "Learning rate of Adam.", {
    step: "log",
    hpo: hpoRangeOf(6.25e-5, 0.01),
  }),
});

/** Contextual bandit with an upper confidence bound (Zhou et al. 2020). */
export const NeuralUCBSpec = z.strictObject({
  name: field(z.literal("NeuralUCB").default("NeuralUCB"), "Neural bandit with an upper confidence bound."),
  ...shapeOf(0.001),
});
export type NeuralUCBSpec = z.output<typeof NeuralUCBSpec>;
export type NeuralUCBSpecInput = z.input<typeof NeuralUCBSpec>;

/** Contextual bandit with Thompson sampling (Zhang et al. 2021). */
export const NeuralTSSpec = z.strictObject({
  name: field(z.literal("NeuralTS").default("NeuralTS"), "Neural bandit with Thompson sampling."),
  ...shapeOf(0.003),
});
export type NeuralTSSpec = z.output<typeof NeuralTSSpec>;
export type NeuralTSSpecInput = z.input<typeof NeuralTSSpec>;

const common = { bandit: true, env_types: ["bandit"], evo_steps: 500 } as const;

export const NEURAL_UCB_DEFINITION = defineAlgorithm({
  name: "NeuralUCB",
  title: "Neural upper confidence bound",
  schema: NeuralUCBSpec,
  ...common,
});

export const NEURAL_TS_DEFINITION = defineAlgorithm({
  name: "NeuralTS",
  title: "Neural Thompson sampling",
  schema: NeuralTSSpec,
  ...common,
});
