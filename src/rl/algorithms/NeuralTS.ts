/**
 * Neural contextual bandit with Thompson sampling (Zhang et al. 2021, arXiv 2010.00827): each arm's value is
 * sampled around its mean.
 */

import { z } from "zod";
import { add, type Dim, mul, reshape, stackColumns } from "../../kernels/index.ts";
import { defineAlgorithm } from "../../specs/algorithms.ts";
import { field } from "../../specs/checks.ts";
import { normals } from "../contract/inputs.ts";
import { BANDIT_FACTS, banditShape, neuralBandit } from "./neuralBandit.ts";

/** Contextual bandit with Thompson sampling (Zhang et al. 2021). */
export const NeuralTSSpec = z.strictObject({
  name: field(z.literal("NeuralTS").default("NeuralTS"), "Neural bandit with Thompson sampling."),
  ...banditShape(0.003),
});
export type NeuralTSSpec = z.output<typeof NeuralTSSpec>;
export type NeuralTSSpecInput = z.input<typeof NeuralTSSpec>;

export const NEURAL_TS_DEFINITION = /* @__PURE__ */ defineAlgorithm({
  name: "NeuralTS",
  title: "Neural Thompson sampling",
  schema: NeuralTSSpec,
  ...BANDIT_FACTS,
});

export const NeuralTS = /* @__PURE__ */ neuralBandit(NEURAL_TS_DEFINITION, ({ value, spread, draws }) => {
  const [n, arms] = value.shape as [Dim, number];
  const noise = reshape(stackColumns(normals(draws, arms)), [n, arms]);
  return add(value, mul(spread, noise));
});
