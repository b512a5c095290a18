/**
 * The evolvable multilayer perceptron: [linear -> layer norm -> activation] for each hidden layer, then
 * linear -> (layer norm without parameters) -> output activation.
 */

import { z } from "zod";
import type { Axis, Init, TensorSpec } from "../../evolution/members.ts";
import { layerNorm, type Tensor } from "../../kernels/functions.ts";
import { field, integer, layerSizes, layers } from "../../specs/checks.ts";
import { Activation } from "../../specs/networks.ts";
import { deferredSpec, defineArchitecture, inferredArchitecture } from "./defineArchitecture.ts";
import {
  activationTensors,
  applyActivation,
  applyLinear,
  applyNorm,
  fanIn,
  inputAxes,
  layerOutput,
  linearTensors,
  normTensors,
  outputAxis,
  total,
  uniformInit,
  widthAxis,
  ZERO,
} from "./layers.ts";
import { mlpMethods } from "./mlpMethods.ts";
import type { ForwardContext, ModuleDefinition, ModuleEnds, Parameters } from "./moduleDefinition.ts";
import {
  type BoundsRule,
  defaultsWith,
  fillSettings,
  type Settings,
  storedFields,
  storedSize,
} from "./settings.ts";

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
  min_hidden_layers: field(layers(1).default(1), "Fewest hidden layers after mutations.", bound),
  max_hidden_layers: field(integer(1).default(6), "Most hidden layers after mutations.", bound),
  min_mlp_nodes: field(integer(1).default(8), "Narrowest hidden layer after mutations.", bound),
  max_mlp_nodes: field(integer(1).default(256), "Widest hidden layer after mutations.", bound),
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
/** Defaults for an encoder's settings that a section does not give. @internal */
export const MLP_ENCODER_DEFAULTS = { ...rest, hidden_size: [64, 64] };
/** Defaults for a perceptron that callers create. @internal */
export const MLP_MODULE_DEFAULTS = defaultsWith(settings, { ...inferredBounds, min_mlp_nodes: 32 });

/** The perceptron as an encoder. */
export const mlpArchitecture = {
  ...defineArchitecture({
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
  }),
  inferred: inferredArchitecture({ settings, rules, defaults: MLP_ENCODER_DEFAULTS }),
};

type MlpSpecMade = typeof mlpArchitecture.spec;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface MlpSpecSchema extends MlpSpecMade {}

/** A multilayer perceptron with the bounds of its mutations. */
export const MlpSpec: MlpSpecSchema = mlpArchitecture.spec;
export type MlpSpec = z.output<typeof MlpSpec>;
export type MlpSpecInput = z.input<typeof MlpSpec>;
export type MlpSettings = Omit<MlpSpec, "arch">;

type DeferredMlpMade = typeof mlpArchitecture.inferred.deferred;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface DeferredMlpSchema extends DeferredMlpMade {}

/** An encoder with only some settings given. */
export const DeferredMlpSpec: DeferredMlpSchema = mlpArchitecture.inferred.deferred;
export type DeferredMlpSpec = z.output<typeof DeferredMlpSpec>;

/** A head with only some settings given. */
export const DeferredHeadSpec: DeferredMlpSchema = deferredSpec({ settings, rules, defaults: headDefaults });
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

/** Named, so that enclosing types show this name instead of all its fields. */
export interface MlpDataSchema
  extends z.ZodObject<typeof mlpDataFields & { kind: z.ZodLiteral<"mlp"> }, z.core.$strict> {}

/** A multilayer perceptron as plain data. */
export const MlpData: MlpDataSchema = z.strictObject({ kind: z.literal("mlp"), ...mlpDataFields });
export type MlpData = Readonly<z.output<typeof MlpData>>;

/** Data of an MLP, from its settings. An encoder's output layer is normalised like its hidden layers and is
 * never initialised with smaller weights (`output_vanish`). */
export function mlpData(
  inputs: number,
  outputs: number,
  settings: MlpSettings,
  use: "encoder" | "head",
): MlpData {
  const encoder = use === "encoder";
  return {
    kind: "mlp",
    inputs,
    hidden_size: [...settings.hidden_size],
    outputs,
    activation: settings.activation,
    output_activation: settings.output_activation ?? (encoder ? settings.activation : null),
    layer_norm: settings.layer_norm,
    output_layernorm: encoder && settings.layer_norm,
    output_vanish: !encoder && settings.output_vanish,
    init_layers: settings.init_layers,
    noise_std: null,
    min_hidden_layers: settings.min_hidden_layers,
    max_hidden_layers: settings.max_hidden_layers,
    min_mlp_nodes: settings.min_mlp_nodes,
    max_mlp_nodes: settings.max_mlp_nodes,
  };
}

function tensors(data: MlpData, scope: string, ends: ModuleEnds): TensorSpec[] {
  const { hidden_size, noise_std } = data;
  const symbols = ends.symbols ?? scope;
  const unit = (i: number, label = `hidden_${i}`): Axis =>
    widthAxis(label, hidden_size[i] as number, `${symbols}h${i}`);
  const layer = (name: string, from: readonly Axis[], to: Axis, scale: number): TensorSpec[] => {
    const orthogonal: Init = { kind: "orthogonal", gain: scale * Math.SQRT2 };
    const uniform = uniformInit(fanIn(from), scale);
    return linearTensors(`${scope}${name}`, from, to, {
      weight: data.init_layers ? orthogonal : uniform,
      bias: data.init_layers ? ZERO : uniform,
      added: { weight: { kind: "identity" }, bias: ZERO },
      noise_std,
      noise_scale: scale,
    });
  };
  const specs = hidden_size.flatMap((_width, i) => {
    const from = i === 0 ? inputAxes(ends, data.inputs) : [unit(i - 1)];
    return [
      ...layer(`linear_${i + 1}`, from, unit(i), 1),
      ...(data.layer_norm ? normTensors(`${scope}layer_norm_${i + 1}`, unit(i)) : []),
      ...activationTensors(`${scope}activation_${i + 1}`, data.activation),
    ];
  });
  // The label refers to the last hidden layer, whichever it is, so the output keeps its weights when a layer
  // is added.
  const last = unit(hidden_size.length - 1, "last_hidden");
  specs.push(...layer("output", [last], outputAxis(ends, data.outputs), data.output_vanish ? 0.1 : 1));
  return [...specs, ...activationTensors(`${scope}output_activation`, data.output_activation)];
}

/** Input of the output layer, [n, last hidden width]. */
export function lastInputs(
  data: MlpData,
  scope: string,
  params: Parameters,
  x: Tensor,
  context: ForwardContext = {},
): Tensor {
  let value = x;
  data.hidden_size.forEach((_width, i) => {
    value = applyLinear(`${scope}linear_${i + 1}`, params, value, context);
    if (data.layer_norm) value = applyNorm(`${scope}layer_norm_${i + 1}`, params, value, context);
    value = applyActivation(`${scope}activation_${i + 1}`, data.activation, params, value, context);
    layerOutput(`${scope}linear_${i + 1}`, value, context);
  });
  return value;
}

function forward(
  data: MlpData,
  scope: string,
  params: Parameters,
  x: Tensor,
  context: ForwardContext = {},
): Tensor {
  let value = lastInputs(data, scope, params, x, context);
  value = applyLinear(`${scope}output`, params, value, context);
  if (data.output_layernorm) value = layerNorm(value);
  value = applyActivation(`${scope}output_activation`, data.output_activation, params, value, context);
  return layerOutput(`${scope}output`, value, context);
}

const methods = /* @__PURE__ */ mlpMethods<MlpData>();

export const mlp: ModuleDefinition<MlpData, MlpSettings> = {
  kind: "mlp",
  schema: MlpData,
  encoder: (observed, outputs, settings) => mlpData(observed.size(), outputs, settings, "encoder"),
  methods: () => methods,
  structureKey: (d) => {
    const norm = (is: boolean) => (is ? "norm " : "");
    const noisy = d.noise_std === null ? "" : "noisy ";
    const hidden = `${d.hidden_size.length} hidden ${noisy}${norm(d.layer_norm)}${d.activation}`;
    return `mlp(${hidden}, output ${norm(d.output_layernorm)}${d.output_activation ?? "linear"})`;
  },
  tensors,
  widths: (d, scope) => Object.fromEntries(d.hidden_size.map((width, i) => [`${scope}h${i}`, width])),
  forward,
  activation: (d) => d.activation,
  withActivation: (d, activation, output) => ({
    ...d,
    activation,
    output_activation: output && d.output_activation !== null ? activation : d.output_activation,
  }),
  withInputs: (d, inputs) => ({ ...d, inputs }),
  withOutputs: (d, outputs) => ({ ...d, outputs }),
  layerNumbers: (d) => total(d.hidden_size) + d.outputs,
  describe: (d) => d.hidden_size.join("-"),
};
