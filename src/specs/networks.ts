/** Door: what rooms below and beside reinforcement learning know of networks. */

import { z } from "zod";
import { atLeast, field, fraction, integer } from "./field.ts";
import { TEXT_MODELS } from "./manifestNames.ts";
import { isMapping } from "./plain.ts";

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

const madeLoraConfig = z.strictObject({
  lora_r: field(integer(1).default(16), "Rank of the adapter's matrices."),
  lora_alpha: field(
    atLeast(1).default(32),
    "Scale of the adapter; its effect is multiplied by lora_alpha / lora_r.",
  ),
  use_rslora: field(
    z.boolean().default(false),
    "Multiplies by lora_alpha / sqrt(lora_r) instead, so that high ranks learn as fast as low ones.",
    { advanced: true, rlkit_only: true },
  ),
  target_modules: field(
    z.union([z.string(), z.array(z.string())]).default("all-linear"),
    "Layers that get an adapter, by name.",
  ),
  target_parameters: field(
    z.array(z.string()).nullable().default(null),
    "Single parameters that get an adapter, in layers other than linear ones; not supported.",
    { advanced: true },
  ),
  task_type: field(z.string().default("CAUSAL_LM"), "Kind of model.", {
    advanced: true,
    effect: false,
  }),
  lora_dropout: field(fraction().default(0.05), "Dropout in the adapter during training; treated as 0.", {
    advanced: true,
    effect: false,
  }),
});
type LoraConfigMade = typeof madeLoraConfig;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface LoraConfigSchema extends LoraConfigMade {}

/** A low-rank adapter of a language model. */
export const LoraConfigDict: LoraConfigSchema = madeLoraConfig;
export type LoraConfigDict = z.output<typeof LoraConfigDict>;

/** The network of language-model algorithms: a pretrained model and its adapter. */
export const FinetuningNetworkSpec = z.strictObject({
  pretrained_model_name_or_path: field(z.string().min(1), "The base model.", { outside: TEXT_MODELS }),
  max_context_length: field(integer(1), "Longest prompt and completion together.", { unit: "tokens" }),
  lora_config: field(LoraConfigDict.nullable().default(null), "The adapter."),
  weight_storage: field(
    z.enum(["f32", "f16", "q8"]).default("f32"),
    "How a base model from files is kept: f16 takes half the memory, q8 a quarter. Numbers are widened as they are used.",
    { advanced: true, rlkit_only: true },
  ),
});
export type FinetuningNetworkSpec = z.output<typeof FinetuningNetworkSpec>;
export type FinetuningNetworkSpecInput = z.input<typeof FinetuningNetworkSpec>;

/** True for a section that names a pretrained model. */
export const isPretrained = (network: unknown): network is FinetuningNetworkSpec =>
  isMapping(network) && Object.hasOwn(network, "pretrained_model_name_or_path");

/** One layer of a network. */
export interface LayerStructure {
  /** "linear", "conv", "lstm" ... */
  readonly kind: string;
  /** Number of outputs: nodes or channels. */
  readonly width: number;
  /** Null if there is none. */
  readonly activation: string | null;
  /** Whether its outputs are normalised. */
  readonly norm: boolean;
  /** Number of weights and biases. */
  readonly parameters: number;
}

export interface NetworkStructure {
  /** "actor", "critic", "head" ... */
  readonly name: string;
  /** From the input to the output. */
  readonly layers: readonly LayerStructure[];
  readonly parameters: number;
}
