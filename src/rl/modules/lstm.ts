/**
 * Stacked LSTM layers, then linear -> output activation. `forward` starts from a recurrent state of zeros.
 */

import { z } from "zod";
import type { Axis, Init, TensorSpec } from "../../evolution/members.ts";
import {
  type LstmParameters,
  type LstmProducts,
  lstmCell,
  lstm as lstmSequence,
} from "../../kernels/functions.ts";
import { add, type Dim, reshape, sizeOf, type Tensor, zeros } from "../../kernels/index.ts";
import { field, fraction, integer, layers } from "../../specs/checks.ts";
import { Activation } from "../../specs/networks.ts";
import { defineArchitecture, inferredArchitecture } from "./defineArchitecture.ts";
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
  RowParameters,
} from "./moduleDefinition.ts";
import { blockMethods } from "./mutationMethods.ts";
import { type BoundsRule, defaultsWith, NODE_STEPS, storedFields, storedSize } from "./settings.ts";

const bound = { advanced: true };

/** Fields of the recurrent layers, also used by encoders with more layers before them. @internal */
export const lstmSettings = {
  hidden_state_size: field(integer(1), "Width of the hidden state.", { unit: "nodes" }),
  num_layers: field(layers(1).default(1), "Number of stacked recurrent layers."),
  min_hidden_state_size: field(integer(1).default(8), "Narrowest state after mutations.", bound),
  max_hidden_state_size: field(integer(1).default(256), "Widest state after mutations.", bound),
  min_layers: field(layers(0).default(1), "Fewest recurrent layers after mutations.", bound),
  max_layers: field(integer(1).default(6), "Most recurrent layers after mutations.", bound),
  dropout: field(fraction().default(0), "Dropout probability between layers.", bound),
};

export const LSTM_RULES: readonly BoundsRule[] = [
  { size: "hidden_state_size", min: "min_hidden_state_size", max: "max_hidden_state_size" },
  { size: "num_layers", min: "min_layers", max: "max_layers" },
];

/** Defaults for settings that a section does not give. @internal */
export const LSTM_DEFAULTS = defaultsWith(lstmSettings, {
  hidden_state_size: 128,
  num_layers: 2,
  min_hidden_state_size: 16,
  max_hidden_state_size: 500,
  max_layers: 4,
});
/** Defaults for recurrent layers that callers create. @internal */
export const LSTM_MODULE_DEFAULTS = defaultsWith(lstmSettings, {
  min_hidden_state_size: 32,
  max_hidden_state_size: 512,
  max_layers: 3,
});

/** The recurrent layers as an encoder. */
export const lstmArchitecture = {
  ...defineArchitecture({
    arch: "lstm",
    description: "Recurrent layers with memory.",
    settings: lstmSettings,
    rules: LSTM_RULES,
    reads: "vector",
    memory: true,
    portable: true,
  }),
  inferred: inferredArchitecture({ settings: lstmSettings, rules: LSTM_RULES, defaults: LSTM_DEFAULTS }),
};

/** Recurrent layers with memory (LSTM), then one dense layer, with the bounds of their mutations. */
export const LstmSpec: (typeof lstmArchitecture)["spec"] = lstmArchitecture.spec;
export type LstmSpec = z.output<typeof LstmSpec>;
export type LstmSpecInput = z.input<typeof LstmSpec>;
export type LstmSettings = Omit<LstmSpec, "arch">;

const stored = storedFields(lstmSettings);

/** Recurrent layers (LSTM) followed by a dense layer, as plain data. */
export const LstmData = z.strictObject({
  kind: z.literal("lstm"),
  inputs: storedSize,
  outputs: storedSize,
  hidden_state_size: stored.hidden_state_size,
  num_layers: stored.num_layers,
  output_activation: Activation.nullable(),
  min_hidden_state_size: stored.min_hidden_state_size,
  max_hidden_state_size: stored.max_hidden_state_size,
  min_layers: stored.min_layers,
  max_layers: stored.max_layers,
});
export type LstmData = Readonly<z.output<typeof LstmData>>;

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

const indices = ({ num_layers }: LstmData): number[] => Array.from({ length: num_layers }, (_, i) => i);

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
    ...indices(data).flatMap((i) => [
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

/** The products of a layer whose parameters differ from row to row. */
function rowProducts(
  scope: string,
  layer: number,
  { weight_ih, weight_hh, bias_ih, bias_hh }: LstmParameters,
  { product, vector }: RowParameters,
): LstmProducts {
  const named = (part: string) => `${scope}lstm.${part}_l${layer}`;
  const bias = add(vector(named("bias_ih"), bias_ih, 2), vector(named("bias_hh"), bias_hh, 2));
  return {
    input: (x) => add(product(named("weight_ih"), x, weight_ih), bias),
    hidden: (h) => product(named("weight_hh"), h, weight_hh),
  };
}

function output(
  data: LstmData,
  scope: string,
  params: Parameters,
  hidden: Tensor,
  context?: ForwardContext,
): Tensor {
  const value = applyLinear(`${scope}output`, params, hidden, context);
  const activated = applyActivation(
    `${scope}output_activation`,
    data.output_activation,
    params,
    value,
    context,
  );
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
  for (const layer of indices(data)) {
    const parameters = layerOf(scope, params, layer);
    const products = context?.rows && rowProducts(scope, layer, parameters, context.rows);
    const { h, c } = lstmCell(value, stateOf(memory, layer), parameters, products);
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
  for (const layer of indices(data))
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
  const empty = indices(data).flatMap(() => [
    zeros([x.shape[0] as Dim, width]),
    zeros([x.shape[0] as Dim, width]),
  ]);
  return step(data, scope, params, x, empty, context).output;
}

/** @internal */
export const lstmMethods = /* @__PURE__ */ blockMethods<LstmData>({
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
    indices(d).flatMap((layer) =>
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
