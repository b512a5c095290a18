/** The kind of network that docs/extending/network.md adds. */
import { z } from "zod";
import type {
  ForwardContext,
  ModuleDefinition,
  MutationMethod,
  Parameters,
} from "../../../../src/agents/index.ts";
import type { TensorSpec } from "../../../../src/evolution/members.ts";
import { cos, type Tensor } from "../../../../src/kernels/index.ts";
import {
  activationTensors,
  applyActivation,
  applyLinear,
  inputAxes,
  layerOutput,
  linearTensors,
  outputAxis,
  uniformInit,
  widthAxis,
} from "../../../../src/rl/modules/layers.ts";
import { type ModuleEnds } from "../../../../src/rl/modules/moduleDefinition.ts";
import { NODE_STEPS } from "../../../../src/rl/modules/settings.ts";
import {
  type BoundsRule,
  defineArchitecture,
  storedFields,
  storedSize,
} from "../../../../src/rl/networks.ts";
import { field, integer } from "../../../../src/specs/checks.ts";
import { Activation } from "../../../../src/specs/networks.ts";

const settings = {
  num_features: field(integer(1), "Cosines of the observation.", { unit: "nodes" }),
  output_activation: field(Activation.nullable().default("ReLU"), "Activation after the output layer."),
  min_features: field(integer(1).default(8), "Fewest cosines a mutation may leave.", { advanced: true }),
  max_features: field(integer(1).default(256), "Most cosines a mutation may reach.", { advanced: true }),
};

const rules: readonly BoundsRule[] = [{ size: "num_features", min: "min_features", max: "max_features" }];

/** Learned Fourier features (Rahimi and Recht 2007) as an encoder. */
export const fourierArchitecture = defineArchitecture({
  arch: "fourier",
  description: "Cosines of a vector.",
  settings,
  rules,
  reads: "vector",
});
export type FourierSettings = z.output<typeof fourierArchitecture.spec>;

/** Fourier features with a dense layer behind them, as plain data. */
export const FourierData = z.strictObject({
  kind: z.literal("fourier"),
  inputs: storedSize,
  outputs: storedSize,
  ...storedFields(settings),
});
export type FourierData = Readonly<z.output<typeof FourierData>>;

function tensors(data: FourierData, scope: string, ends: ModuleEnds): TensorSpec[] {
  const features = widthAxis("features", data.num_features, `${ends.symbols ?? scope}features`);
  return [
    ...linearTensors(`${scope}frequencies`, inputAxes(ends, data.inputs), features, {
      weight: uniformInit(1, Math.PI),
      bias: uniformInit(1, Math.PI),
    }),
    ...linearTensors(`${scope}output`, [features], outputAxis(ends, data.outputs)),
    ...activationTensors(`${scope}output_activation`, data.output_activation),
  ];
}

/** x [n, inputs] -> output_activation(cos(x W + b) V + c) [n, outputs]. */
function forward(
  data: FourierData,
  scope: string,
  params: Parameters,
  x: Tensor,
  context: ForwardContext = {},
): Tensor {
  const features = cos(applyLinear(`${scope}frequencies`, params, x, context));
  layerOutput(`${scope}frequencies`, features, context);
  const value = applyLinear(`${scope}output`, params, features, context);
  const activated = applyActivation(`${scope}output_activation`, data.output_activation, params, value);
  return layerOutput(`${scope}output`, activated, context);
}

const resize = (name: "add_node" | "remove_node"): MutationMethod<FourierData> => ({
  name,
  type: "node",
  apply: (data, random, args = {}) => {
    const nodes = args.numb_new_nodes ?? random.choice(NODE_STEPS);
    const num_features = data.num_features + (name === "add_node" ? nodes : -nodes);
    const allowed = num_features >= data.min_features && num_features <= data.max_features;
    return {
      data: allowed ? { ...data, num_features } : data,
      method: name,
      args: { numb_new_nodes: nodes },
    };
  },
});

const methods = [resize("add_node"), resize("remove_node")];

export const fourier: ModuleDefinition<FourierData, FourierSettings> = {
  kind: "fourier",
  schema: FourierData,
  encoder: (observed, outputs, { arch: kind, ...own }) => ({
    kind,
    inputs: observed.size(),
    outputs,
    ...own,
  }),
  methods: () => methods,
  structureKey: (d) => `fourier(output ${d.output_activation ?? "linear"})`,
  tensors,
  widths: (d, scope) => ({ [`${scope}features`]: d.num_features }),
  forward,
  activation: () => null,
  withActivation: (d) => d,
  withInputs: (d, inputs) => ({ ...d, inputs }),
  withOutputs: (d, outputs) => ({ ...d, outputs }),
  layerNumbers: (d) => 2 * d.num_features + d.outputs,
  describe: (d) => `fourier ${d.num_features}`,
};
