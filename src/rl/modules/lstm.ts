/**
 * Stacked LSTM layers, then linear -> output activation. `forward` starts from a recurrent state of zeros.
 */
import type { Axis, Init, TensorSpec } from "../../evolution/members.ts";
import { type LstmParameters, lstmCell, lstm as lstmSequence } from "../../kernels/functions.ts";
import { type Dim, reshape, sizeOf, type Tensor, zeros } from "../../kernels/index.ts";
import { type Activation, LstmData, type LstmSettings } from "../../specs/networks.ts";
import { blockMethods } from "./blockMethods.ts";
import {
  activationTensors,
  applyActivation,
  applyLinear,
  inputAxes,
  layerOutput,
  linearTensors,
  outputAxis,
  parameter,
  uniformInit,
  widthAxis,
} from "./layers.ts";
import type {
  ForwardContext,
  ModuleDefinition,
  ModuleEnds,
  Parameters,
  RecurrentDefinition,
} from "./moduleDefinition.ts";
import { NODE_STEPS } from "./mutationSteps.ts";

/** Data of an encoder, from its settings.
 * @throws RangeError when dropout is not 0. */
export function lstmData(
  inputs: number,
  outputs: number,
  settings: LstmSettings,
  output_activation: Activation | null = "ReLU",
): LstmData {
  requireNoDropout(settings.dropout);
  return {
    kind: "lstm",
    inputs,
    outputs,
    hidden_state_size: settings.hidden_state_size,
    num_layers: settings.num_layers,
    output_activation,
    min_hidden_state_size: settings.min_hidden_state_size,
    max_hidden_state_size: settings.max_hidden_state_size,
    min_layers: settings.min_layers,
    max_layers: settings.max_layers,
  };
}

/** Dropout would change the policy between acting and learning, and with it the ratio that PPO clips. */
function requireNoDropout(dropout: number): void {
  if (dropout === 0) return;
  throw new RangeError(
    `dropout: found ${dropout}, allowed 0: dropout would change action probabilities between acting and learning`,
  );
}

/** PyTorch's order of the stacked gates. */
const GATES = ["input", "forget", "cell", "output"] as const;

const layers = ({ num_layers }: LstmData): number[] => Array.from({ length: num_layers }, (_, i) => i);

function tensors(data: LstmData, scope: string, ends: ModuleEnds): TensorSpec[] {
  const symbol = `${ends.symbols ?? scope}h`;
  const size = data.hidden_state_size;
  const uniform: Init = uniformInit(size);
  const state = (label: string): Axis => widthAxis(label, size, symbol);
  const gates: Axis = GATES.flatMap((gate) => state(gate));
  const weight = (name: string, from: readonly Axis[]): TensorSpec => ({
    name: `${scope}lstm.${name}`,
    axes: [...from, gates],
    init: uniform,
    role: "recurrent",
    inputAxes: from.map((_axis, i) => i),
    fileAxes: [[from.length], from.length === 3 ? [2, 0, 1] : [0]],
  });
  const bias = (name: string): TensorSpec => ({
    name: `${scope}lstm.${name}`,
    axes: [gates],
    init: uniform,
    role: "bias",
  });
  return [
    ...layers(data).flatMap((i) => [
      weight(`weight_ih_l${i}`, i === 0 ? inputAxes(ends, data.inputs) : [state("hidden")]),
      weight(`weight_hh_l${i}`, [state("hidden")]),
      bias(`bias_ih_l${i}`),
      bias(`bias_hh_l${i}`),
    ]),
    ...linearTensors(`${scope}output`, [state("hidden")], outputAxis(ends, data.outputs), {
      weight: uniform,
      bias: uniform,
    }),
    ...activationTensors(`${scope}output_activation`, data.output_activation),
  ];
}

function layerOf(scope: string, params: Parameters, layer: number): LstmParameters {
  const get = (name: string) => parameter(params, `${scope}lstm.${name}_l${layer}`);
  const input = get("weight_ih");
  return {
    weight_ih: reshape(input, [sizeOf(input.shape.slice(0, -1)), input.shape.at(-1) as Dim]),
    weight_hh: get("weight_hh"),
    bias_ih: get("bias_ih"),
    bias_hh: get("bias_hh"),
  };
}

function output(
  data: LstmData,
  scope: string,
  params: Parameters,
  hidden: Tensor,
  context?: ForwardContext,
): Tensor {
  const value = applyLinear(`${scope}output`, params, hidden);
  const activated = applyActivation(`${scope}output_activation`, data.output_activation, params, value);
  return layerOutput(`${scope}output`, activated, context);
}

/** Hidden and cell state of a layer, from the list of all layers' states. */
const stateOf = (memory: readonly Tensor[], layer: number) => {
  const [h, c] = memory.slice(2 * layer, 2 * layer + 2);
  if (!h || !c) throw new RangeError(`LSTM memory: found ${memory.length} tensors, layer ${layer} has none`);
  return { h, c };
};

function step(
  data: LstmData,
  scope: string,
  params: Parameters,
  x: Tensor,
  memory: readonly Tensor[],
  context?: ForwardContext,
) {
  const next: Tensor[] = [];
  let value = x;
  for (const layer of layers(data)) {
    const { h, c } = lstmCell(value, stateOf(memory, layer), layerOf(scope, params, layer));
    next.push(h, c);
    value = layerOutput(`${scope}lstm.l${layer}`, h, context);
  }
  return { output: output(data, scope, params, value, context), memory: next };
}

function sequence(
  data: LstmData,
  scope: string,
  params: Parameters,
  x: Tensor,
  memory: readonly Tensor[],
  keep?: Tensor,
): Tensor {
  let value = x;
  for (const layer of layers(data))
    value = lstmSequence(value, stateOf(memory, layer), layerOf(scope, params, layer), keep).hidden;
  return output(data, scope, params, value);
}

function forward(
  data: LstmData,
  scope: string,
  params: Parameters,
  x: Tensor,
  context?: ForwardContext,
): Tensor {
  const width = parameter(params, `${scope}lstm.weight_hh_l0`).shape[0] as Dim;
  const empty = layers(data).flatMap(() => [
    zeros([x.shape[0] as Dim, width]),
    zeros([x.shape[0] as Dim, width]),
  ]);
  return step(data, scope, params, x, empty, context).output;
}

export const lstmMethods = blockMethods<LstmData>({
  count: (d) => d.num_layers,
  withCount: (d, num_layers) => ({ ...d, num_layers }),
  counts: (d) => ({ min: d.min_layers, max: d.max_layers }),
  width: (d) => d.hidden_state_size,
  withWidth: (d, hidden_state_size) => ({ ...d, hidden_state_size }),
  allows: (d, width) => width >= d.min_hidden_state_size && width <= d.max_hidden_state_size,
  steps: NODE_STEPS,
  unit: "layer",
  part: "node",
});

/** How an LSTM computes with its recurrent state. */
export const lstmMemory: RecurrentDefinition<LstmData> = {
  memory: (d, scope) =>
    layers(d).flatMap((layer) =>
      ["h", "c"].map((name) => ({
        name: `${scope}${name}${layer}`,
        size: d.hidden_state_size,
        symbol: `${scope}h`,
      })),
    ),
  step,
  sequence,
};

export const lstm: ModuleDefinition<LstmData, LstmSettings> = {
  kind: "lstm",
  schema: LstmData,
  encoder: (observed, outputs, settings) => lstmData(observed.size(), outputs, settings),
  methods: () => lstmMethods,
  structureKey: (d) => `lstm(${d.num_layers} layers, output ${d.output_activation ?? "linear"})`,
  tensors,
  widths: (d, scope) => ({ [`${scope}h`]: d.hidden_state_size }),
  forward,
  recurrent: lstmMemory,
  activation: () => null,
  withActivation: (d) => d,
  withInputs: (d, inputs) => ({ ...d, inputs }),
  withOutputs: (d, outputs) => ({ ...d, outputs }),
  layerNumbers: (d) => 6 * d.hidden_state_size * d.num_layers + d.outputs,
  describe: (d) => `lstm ${d.num_layers}x${d.hidden_state_size}`,
};
