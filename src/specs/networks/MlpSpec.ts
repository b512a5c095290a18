import { z } from "zod";
import { field, integer } from "../field.ts";
import { Activation } from "./Activation.ts";

const units = { unit: "nodes" };
const bound = { advanced: true };

/** Sizes and the bounds that mutation keeps them in; absent ones are not compared. */
export interface MlpBounds {
  hidden_size?: readonly number[] | undefined;
  min_hidden_layers?: number | undefined;
  max_hidden_layers?: number | undefined;
  min_mlp_nodes?: number | undefined;
  max_mlp_nodes?: number | undefined;
}

/** Adds an issue for every size that is outside the given bounds, and for bounds that cross. */
export function checkMlpBounds(spec: MlpBounds, context: z.core.$RefinementCtx): void {
  const fail = (path: (string | number)[], message: string): void =>
    context.addIssue({ code: "custom", path, message, params: { code: "range" } });
  const { hidden_size, min_hidden_layers, max_hidden_layers, min_mlp_nodes, max_mlp_nodes } = spec;
  if (
    min_hidden_layers !== undefined &&
    max_hidden_layers !== undefined &&
    min_hidden_layers > max_hidden_layers
  ) {
    fail(
      ["min_hidden_layers"],
      `found ${min_hidden_layers}; must be at most max_hidden_layers (${max_hidden_layers})`,
    );
  }
  if (min_mlp_nodes !== undefined && max_mlp_nodes !== undefined && min_mlp_nodes > max_mlp_nodes) {
    fail(["min_mlp_nodes"], `found ${min_mlp_nodes}; must be at most max_mlp_nodes (${max_mlp_nodes})`);
  }
  if (hidden_size === undefined || hidden_size.length === 0) return;
  const layers = hidden_size.length;
  if (min_hidden_layers !== undefined && layers < min_hidden_layers) {
    fail(
      ["hidden_size"],
      `found ${layers} layers; must have at least min_hidden_layers (${min_hidden_layers})`,
    );
  }
  if (max_hidden_layers !== undefined && layers > max_hidden_layers) {
    fail(
      ["hidden_size"],
      `found ${layers} layers; must have at most max_hidden_layers (${max_hidden_layers})`,
    );
  }
  for (const [index, width] of hidden_size.entries()) {
    if (min_mlp_nodes !== undefined && width < min_mlp_nodes) {
      fail(["hidden_size", index], `found ${width}; must be at least min_mlp_nodes (${min_mlp_nodes})`);
    }
    if (max_mlp_nodes !== undefined && width > max_mlp_nodes) {
      fail(["hidden_size", index], `found ${width}; must be at most max_mlp_nodes (${max_mlp_nodes})`);
    }
  }
}

/** A multilayer perceptron with the bounds its mutations keep to. */
export const MlpSpec = z
  .strictObject({
    arch: field(z.literal("mlp").default("mlp"), "A multilayer perceptron."),
    hidden_size: field(z.array(integer(1)).min(1), "Width of each hidden layer.", units),
    activation: field(Activation.default("ReLU"), "Activation after each hidden layer."),
    output_activation: field(Activation.nullable().default(null), "Activation after the output layer."),
    layer_norm: field(z.boolean().default(true), "Layer normalisation before each activation."),
    init_layers: field(z.boolean().default(true), "Orthogonal initial weights with zero biases.", bound),
    output_vanish: field(
      z.boolean().default(true),
      "Scales the output layer's initial weights by 0.1. Encoders never do.",
      bound,
    ),
    min_hidden_layers: field(integer(1).default(1), "Fewest hidden layers a mutation may leave.", bound),
    max_hidden_layers: field(integer(1).default(6), "Most hidden layers a mutation may reach.", bound),
    min_mlp_nodes: field(integer(1).default(8), "Narrowest hidden layer a mutation may leave.", bound),
    max_mlp_nodes: field(integer(1).default(256), "Widest hidden layer a mutation may reach.", bound),
  })
  .superRefine(checkMlpBounds);
export type MlpSpec = z.output<typeof MlpSpec>;
export type MlpSpecInput = z.input<typeof MlpSpec>;

/** A perceptron of which only some settings are given; {@link resolveNetwork} fills in the others. */
export const DeferredMlpSpec = z
  .strictObject({
    hidden_size: field(
      z.array(integer(1)).min(1).optional(),
      "Width of each hidden layer. Unset, see `network`.",
      units,
    ),
    activation: field(Activation.optional(), "Activation after each hidden layer. Unset, ReLU."),
    output_activation: field(
      Activation.nullable().optional(),
      "Activation after the output layer. Unset, none.",
    ),
    layer_norm: field(z.boolean().optional(), "Layer normalisation before each activation. Unset, on."),
    init_layers: field(z.boolean().optional(), "Orthogonal initial weights. Unset, on.", bound),
    output_vanish: field(z.boolean().optional(), "Small initial output weights. Unset, on for heads.", bound),
    min_hidden_layers: field(integer(1).optional(), "Fewest hidden layers. Unset, 1.", bound),
    max_hidden_layers: field(integer(1).optional(), "Most hidden layers. Unset, 3.", bound),
    min_mlp_nodes: field(integer(1).optional(), "Narrowest hidden layer. Unset, 16.", bound),
    max_mlp_nodes: field(integer(1).optional(), "Widest hidden layer. Unset, 500.", bound),
  })
  .superRefine(checkMlpBounds);
export type DeferredMlpSpec = z.output<typeof DeferredMlpSpec>;
