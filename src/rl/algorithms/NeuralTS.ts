/**
 * Neural contextual bandit with Thompson sampling (Zhang et al. 2021, arXiv 2010.00827): each arm's value is
 * sampled around its mean.
 */
import { add, type Dim, mul, reshape, stackColumns } from "../../kernels/index.ts";
import { normals } from "../contract/inputs.ts";
import { neuralBandit } from "./neuralBandit.ts";

export const NeuralTS = neuralBandit("NeuralTS", ({ value, spread, draws }) => {
  const [n, arms] = value.shape as [Dim, number];
  const noise = reshape(stackColumns(normals(draws, arms)), [n, arms]);
  return add(value, mul(spread, noise));
});
