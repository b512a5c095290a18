/**
 * The evolvable multilayer perceptron: [linear -> layer norm -> activation] for each hidden layer, then
 * linear -> (layer norm without parameters) -> output activation.
 */
import type { Init, Segment, TensorSpec } from "../../evolution/tensorSpec.ts";
import { activate } from "../../kernels/functions/activations.ts";
import { layerNorm, linear } from "../../kernels/functions/layers.ts";
import type { Tensor } from "../../kernels/tensor.ts";
import type { Activation } from "../../specs/networks/Activation.ts";
import type { MlpData } from "./mlpData.ts";
import { mlpMethods } from "./mlpMethods.ts";
import type { ModuleDefinition, ModuleEnds, Parameters } from "./moduleDefinition.ts";

const ZERO: Init = { kind: "constant", value: 0 };
const ONE: Init = { kind: "constant", value: 1 };
/** PyTorch's initial slope. */
const PRELU_SLOPE: Init = { kind: "constant", value: 0.25 };

function tensors(data: MlpData, scope: string, ends: ModuleEnds): TensorSpec[] {
  const specs: TensorSpec[] = [];
  const layers = data.hidden_size.length;
  const unit = (i: number, label = `hidden_${i}`): Segment[] => [
    { label, size: data.hidden_size[i] as number, symbol: `${scope}h${i}` },
  ];
  const inputs = ends.inputs ?? [{ label: "input", size: data.inputs, symbol: null }];
  const outputs = ends.outputs ?? [{ label: "output", size: data.outputs, symbol: null }];

  const slope = (name: string, activation: Activation | null) => {
    if (activation !== "PReLU") return;
    const axes = [[{ label: "slope", size: 1, symbol: null }]];
    specs.push({ name: `${scope}${name}`, axes, init: PRELU_SLOPE, role: "activation" });
  };
  const linearLayer = (name: string, from: readonly Segment[], to: readonly Segment[], scale: number) => {
    const fanIn = from.reduce((sum, s) => sum + s.size, 0);
    const uniform: Init = { kind: "uniform", bound: scale / Math.sqrt(fanIn) };
    const weight: Init = data.init_layers ? { kind: "orthogonal", gain: scale * Math.SQRT2 } : uniform;
    specs.push(
      {
        name: `${scope}${name}.weight`,
        axes: [from, to],
        init: weight,
        added: { kind: "identity" },
        role: "weight",
        inputAxis: 0,
      },
      {
        name: `${scope}${name}.bias`,
        axes: [to],
        init: data.init_layers ? ZERO : uniform,
        added: ZERO,
        role: "bias",
      },
    );
  };

  for (let i = 0; i < layers; i++) {
    linearLayer(`linear_${i + 1}`, i === 0 ? inputs : unit(i - 1), unit(i), 1);
    if (data.layer_norm) {
      specs.push(
        { name: `${scope}layer_norm_${i + 1}.weight`, axes: [unit(i)], init: ONE, role: "norm" },
        { name: `${scope}layer_norm_${i + 1}.bias`, axes: [unit(i)], init: ZERO, role: "norm" },
      );
    }
    slope(`activation_${i + 1}.weight`, data.activation);
  }
  // The label says "the last hidden layer", whichever it is: the output keeps its weights when one is added.
  linearLayer("output", unit(layers - 1, "last_hidden"), outputs, data.output_vanish ? 0.1 : 1);
  slope("output_activation.weight", data.output_activation);
  return specs;
}

function forward(data: MlpData, scope: string, params: Parameters, x: Tensor): Tensor {
  const parameter = (name: string): Tensor => {
    const found = params[`${scope}${name}`];
    if (!found) throw new TypeError(`parameters: "${scope}${name}" is missing`);
    return found;
  };
  const apply = (name: string, activation: Activation, value: Tensor) =>
    activate(activation, value, activation === "PReLU" ? { slope: parameter(`${name}.weight`) } : {});
  let value = x;
  data.hidden_size.forEach((_width, i) => {
    const layer = i + 1;
    value = linear(value, parameter(`linear_${layer}.weight`), parameter(`linear_${layer}.bias`));
    if (data.layer_norm) {
      value = layerNorm(
        value,
        parameter(`layer_norm_${layer}.weight`),
        parameter(`layer_norm_${layer}.bias`),
      );
    }
    value = apply(`activation_${layer}`, data.activation, value);
  });
  value = linear(value, parameter("output.weight"), parameter("output.bias"));
  if (data.output_layernorm) value = layerNorm(value);
  return data.output_activation === null ? value : apply("output_activation", data.output_activation, value);
}

export const mlp: ModuleDefinition<MlpData> = {
  kind: "mlp",
  methods: mlpMethods,
  structureKey: (d) => {
    const norm = (is: boolean) => (is ? "norm " : "");
    const hidden = `${d.hidden_size.length} hidden ${norm(d.layer_norm)}${d.activation}`;
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
  describe: (d) => d.hidden_size.join("-"),
};
