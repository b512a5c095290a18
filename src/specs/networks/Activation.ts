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

const madeActivation = z.enum(ACTIVATIONS);
type ActivationMade = typeof madeActivation;
/** Named, so that enclosing types show this name instead of all its values. */
export interface ActivationSchema extends ActivationMade {}

export const Activation: ActivationSchema = madeActivation;
export type Activation = z.output<typeof Activation>;
