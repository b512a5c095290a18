/** Neural contextual bandit with an upper confidence bound (Zhou et al. 2020, arXiv 1911.04462). */
import { add } from "../../kernels/index.ts";
import { neuralBandit } from "./neuralBandit.ts";

export const NeuralUCB = neuralBandit("NeuralUCB", ({ value, spread }) => add(value, spread));
