import { z } from "zod";
import { field, integer, layerSizes, layers } from "../field.ts";
import { Activation } from "./Activation.ts";
import { deferredSpec, defineArchitecture, inferredArchitecture } from "./defineArchitecture.ts";
import { defaultsWith, storedFields, storedSize } from "./settings.ts";
import { type BoundsRule, fillSettings, type Settings } from "./sizeBounds.ts";

const bound = { advanced: true };

const settings = {
  hidden_size: field(layerSizes(), "Width of each hidden layer.", { unit: "nodes" }),
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
};

const rules: readonly BoundsRule[] = [
  {
    widths: "hidden_size",
    min_layers: "min_hidden_layers",
    max_layers: "max_hidden_layers",
    min_width: "min_mlp_nodes",
    max_width: "max_mlp_nodes",
  },
];

const inferredBounds = { max_hidden_layers: 3, min_mlp_nodes: 16, max_mlp_nodes: 500 };
const headDefaults = defaultsWith(settings, { ...inferredBounds, hidden_size: [64] });
const { output_vanish: _onlyOfHeads, ...rest } = headDefaults;
/** Defaults for an encoder's settings that a section does not give. */
export const MLP_ENCODER_DEFAULTS = { ...rest, hidden_size: [64, 64] };
/** Defaults for a perceptron that callers create. */
export const MLP_MODULE_DEFAULTS = defaultsWith(settings, { ...inferredBounds, min_mlp_nodes: 32 });

const definition = defineArchitecture({
  arch: "mlp",
  description: "A multilayer perceptron.",
  settings,
  rules,
  reads: "vector",
  portable: true,
  resolve: (spec) => ({
    ...spec,
    output_activation: spec.output_activation ?? spec.activation,
    output_vanish: false,
  }),
});
/** The perceptron as an encoder. */
export const mlpArchitecture = {
  ...definition,
  inferred: inferredArchitecture({ settings, rules, defaults: MLP_ENCODER_DEFAULTS }),
};

/** A multilayer perceptron with the bounds of its mutations. */
export const MlpSpec = definition.spec;
export type MlpSpec = z.output<typeof MlpSpec>;
export type MlpSpecInput = z.input<typeof MlpSpec>;
export type MlpSettings = Omit<MlpSpec, "arch">;

/** An encoder with only some settings given. */
export const DeferredMlpSpec = mlpArchitecture.inferred.deferred;
export type DeferredMlpSpec = z.output<typeof DeferredMlpSpec>;

/** A head with only some settings given. */
export const DeferredHeadSpec = deferredSpec({ settings, rules, defaults: headDefaults });
export type DeferredHeadSpec = z.output<typeof DeferredHeadSpec>;

/** The head's settings with defaults filled in. @param own Defaults that differ from the usual ones. */
export const resolveHead = (head: DeferredHeadSpec, own: Settings = {}): MlpSpec =>
  MlpSpec.parse(fillSettings(head, { ...headDefaults, ...own }, rules));

const stored = storedFields(settings);

/** Fields of a perceptron's data, also used by modules that consist of several. */
export const mlpDataFields = {
  inputs: storedSize,
  hidden_size: stored.hidden_size,
  outputs: storedSize,
  activation: stored.activation,
  output_activation: stored.output_activation,
  layer_norm: stored.layer_norm,
  /** Layer normalisation (not affine) before the output activation. */
  output_layernorm: z.boolean(),
  output_vanish: stored.output_vanish,
  init_layers: stored.init_layers,
  /** Initial scale of the noise on weights (Fortunato et al. 2018); null for weights without noise. */
  noise_std: z.number().nonnegative().nullable().default(null),
  min_hidden_layers: stored.min_hidden_layers,
  max_hidden_layers: stored.max_hidden_layers,
  min_mlp_nodes: stored.min_mlp_nodes,
  max_mlp_nodes: stored.max_mlp_nodes,
};

/** A multilayer perceptron as plain data. */
export const MlpData = z.strictObject({ kind: z.literal("mlp"), ...mlpDataFields });
export type MlpData = Readonly<z.output<typeof MlpData>>;

/**
 * A dueling head with a distribution over returns (Wang et al. 2016, Bellemare et al. 2017) as plain data: two
 * perceptrons of the same hidden sizes, one for the state's value and one for the actions' advantages. `num_atoms`:
 * number of returns in the distribution; `outputs` is actions x atoms.
 */
export const DuelingData = z.strictObject({
  kind: z.literal("dueling"),
  ...mlpDataFields,
  num_atoms: storedSize,
});
export type DuelingData = Readonly<z.output<typeof DuelingData>>;
