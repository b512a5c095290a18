import { z } from "zod";
import { field, integer, layerSizes, layers } from "../field.ts";
import { Activation } from "./Activation.ts";
import { deferredFields } from "./deferredFields.ts";
import { checkStack, type StackRule } from "./sizeBounds.ts";

const units = { unit: "nodes" };
const bound = { advanced: true };

export const MLP_BOUNDS: StackRule = {
  widths: "hidden_size",
  min_layers: "min_hidden_layers",
  max_layers: "max_hidden_layers",
  min_width: "min_mlp_nodes",
  max_width: "max_mlp_nodes",
};

const fields = z.strictObject({
  arch: field(z.literal("mlp").default("mlp"), "A multilayer perceptron."),
  hidden_size: field(layerSizes(), "Width of each hidden layer.", units),
  activation: field(Activation.default("ReLU"), "Activation after each hidden layer."),
  output_activation: field(Activation.nullable().default(null), "Activation after the output layer."),
  layer_norm: field(z.boolean().default(true), "Layer normalisation before each activation."),
  init_layers: field(z.boolean().default(true), "Orthogonal initial weights with zero biases.", bound),
  output_vanish: field(
    z.boolean().default(true),
    "Scales the output layer's initial weights by 0.1. Encoders never do.",
    bound,
  ),
  min_hidden_layers: field(layers(1).default(1), "Fewest hidden layers a mutation may leave.", bound),
  max_hidden_layers: field(integer(1).default(6), "Most hidden layers a mutation may reach.", bound),
  min_mlp_nodes: field(integer(1).default(8), "Narrowest hidden layer a mutation may leave.", bound),
  max_mlp_nodes: field(integer(1).default(256), "Widest hidden layer a mutation may reach.", bound),
});

/** A multilayer perceptron with the bounds its mutations keep to. */
export const MlpSpec = fields.superRefine((spec, context) => checkStack(spec, MLP_BOUNDS, context));
export type MlpSpec = z.output<typeof MlpSpec>;
export type MlpSpecInput = z.input<typeof MlpSpec>;
export type MlpSettings = Omit<MlpSpec, "arch">;

/** Settings of an encoder that a section leaves open. */
export const MLP_ENCODER_DEFAULTS = {
  hidden_size: [64, 64],
  activation: "ReLU",
  layer_norm: true,
  init_layers: true,
  min_hidden_layers: 1,
  max_hidden_layers: 3,
  min_mlp_nodes: 16,
  max_mlp_nodes: 500,
} as const;

/** Settings of a head that a section leaves open. */
export const MLP_HEAD_DEFAULTS = { ...MLP_ENCODER_DEFAULTS, hidden_size: [64], output_vanish: true } as const;

const deferred = (defaults: Readonly<Record<string, unknown>>) =>
  z
    .strictObject(deferredFields(fields.shape, defaults))
    .superRefine((spec, context) => checkStack(spec, MLP_BOUNDS, context));

/** An encoder of which only some settings are given. */
export const DeferredMlpSpec = deferred(MLP_ENCODER_DEFAULTS);
export type DeferredMlpSpec = z.output<typeof DeferredMlpSpec>;

/** A head of which only some settings are given. */
export const DeferredHeadSpec = deferred(MLP_HEAD_DEFAULTS);
export type DeferredHeadSpec = z.output<typeof DeferredHeadSpec>;
