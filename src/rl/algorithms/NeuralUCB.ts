/** Neural contextual bandit with an upper confidence bound (Zhou et al. 2020, arXiv 1911.04462). */

import { z } from "zod";
import { add } from "../../kernels/index.ts";
import { defineAlgorithm } from "../../specs/algorithms.ts";
import { field } from "../../specs/checks.ts";
import { BANDIT_FACTS, banditShape, neuralBandit } from "./neuralBandit.ts";

/** Contextual bandit with an upper confidence bound (Zhou et al. 2020). */
export const NeuralUCBSpec = z.strictObject({
  name: field(z.literal("NeuralUCB").default("NeuralUCB"), "Neural bandit with an upper confidence bound."),
  ...banditShape(0.001),
});
export type NeuralUCBSpec = z.output<typeof NeuralUCBSpec>;
export type NeuralUCBSpecInput = z.input<typeof NeuralUCBSpec>;

export const NEURAL_UCB_DEFINITION = /* @__PURE__ */ defineAlgorithm({
  name: "NeuralUCB",
  title: "Neural upper confidence bound",
  schema: NeuralUCBSpec,
  ...BANDIT_FACTS,
});

export const NeuralUCB = /* @__PURE__ */ neuralBandit(NEURAL_UCB_DEFINITION, ({ value, spread }) =>
  add(value, spread),
);
