/**
 * The evolvable multilayer perceptron: [linear -> layer norm -> activation] for each hidden layer, then
 * linear -> (layer norm without parameters) -> output activation.
 */
import type { Axis, Init, TensorSpec } from "../../evolution/members.ts";
import { layerNorm, type Tensor } from "../../kernels/functions.ts";
import { MlpData, type MlpSettings } from "../../specs/networks.ts";
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
    if (data.layer_norm) value = applyNorm(`${scope}layer_norm_${i + 1}`, params, value);
    value = applyActivation(`${scope}activation_${i + 1}`, data.activation, params, value);
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
  value = applyActivation(`${scope}output_activation`, data.output_activation, params, value);
  return layerOutput(`${scope}output`, value, context);
}

const methods = mlpMethods<MlpData>();

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
