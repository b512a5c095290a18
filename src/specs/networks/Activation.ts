import { z } from "zod";

/** Names of activation functions, as in PyTorch. */
export const ACTIVATIONS = [
  "Tanh",
  "GELU",
  "ReLU",
  "ELU",
  "LeakyReLU",
  "Sigmoid",
  "Softplus",
  "Softmax",
  "GumbelSoftmax",
  "PReLU",
  "Identity",
] as const;

export const Activation = z.enum(ACTIVATIONS);
export type Activation = z.output<typeof Activation>;
