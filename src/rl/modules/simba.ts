/**
 * SimBa (Lee et al. 2024): linear -> blocks x + W2 relu(W1 norm(x)) -> layer norm -> linear -> output activation.
 * Unlike in the paper, observations are not normalised.
 */

import { z } from "zod";
import type { TensorSpec } from "../../evolution/members.ts";
import { relu, type Tensor } from "../../kernels/functions.ts";
import { add } from "../../kernels/index.ts";
import { field, integer, layerSizes, layers } from "../../specs/checks.ts";
import { Activation } from "../../specs/networks.ts";
import { defineArchitecture, inferredArchitecture } from "./defineArchitecture.ts";
import {
  activationTensors,
  applyActivation,
  applyLinear,
  applyNorm,
  inputAxes,
  layerOutput,
  linearTensors,
  normTensors,
  outputAxis,
  uniformInit,
  widthAxis,
  ZERO,
} from "./layers.ts";
import type { ForwardContext, ModuleDefinition, ModuleEnds, Parameters } from "./moduleDefinition.ts";
import { blockMethods } from "./mutationMethods.ts";
import {
  type BoundsRule,
  defaultsWith,
  NODE_STEPS,
  type Settings,
  storedFields,
  storedSize,
} from "./settings.ts";

const bound = { advanced: true };

const settings = {
  hidden_size: field(integer(1), "Width of the residual stream.", { unit: "nodes" }),
  num_blocks: field(layers(1), "Residual blocks."),
  output_activation: field(
    Activation.nullable().default(null),
    "Activation after the output layer. If unset, ReLU.",
  ),
  scale_factor: field(integer(1).default(4), "Width inside a block as a multiple of hidden_size.", bound),
  min_blocks: field(layers(1).default(1), "Fewest blocks after mutations.", bound),
  max_blocks: field(integer(1).default(4), "Most blocks after mutations.", bound),
  min_mlp_nodes: field(integer(1).default(8), "Narrowest stream after mutations.", bound),
  max_mlp_nodes: field(integer(1).default(256), "Widest stream after mutations.", bound),
};

export const SIMBA_RULES: readonly BoundsRule[] = [
  { size: "hidden_size", min: "min_mlp_nodes", max: "max_mlp_nodes" },
  { size: "num_blocks", min: "min_blocks", max: "max_blocks" },
];

/** Defaults for a SimBa network that callers create. @internal */
export const SIMBA_MODULE_DEFAULTS = defaultsWith(settings, { min_mlp_nodes: 16, max_mlp_nodes: 500 });
/** Defaults for settings that a section does not give. */
const SIMBA_DEFAULTS = { ...SIMBA_MODULE_DEFAULTS, hidden_size: 128, num_blocks: 2 };

/** In a form for all kinds, the single width may be given as a list of one item. */
function withOneWidth(given: Settings): Settings {
  const { hidden_size } = given;
  const [width, ...others]: unknown[] = Array.isArray(hidden_size) ? hidden_size : [];
  return width === undefined || others.length > 0 ? given : { ...given, hidden_size: width };
}

/** SimBa as an encoder. */
export const simbaArchitecture = {
  ...defineArchitecture({
    arch: "simba",
    description: "Residual blocks over a vector.",
    settings,
    rules: SIMBA_RULES,
    reads: "vector",
    portable: true,
    resolve: (spec) => ({ ...spec, output_activation: spec.output_activation ?? "ReLU" }),
  }),
  inferred: {
    ...inferredArchitecture({ settings, rules: SIMBA_RULES, defaults: SIMBA_DEFAULTS }),
    switch: {
      deferred: "Uses a SimBa encoder for vector observations.",
      declared: "Uses a SimBa encoder; implied by arch simba.",
    },
    form: {
      hidden_size: field(
        z.union([layerSizes(), integer(1)]).optional(),
        "Width of each hidden layer, or the one width of simba.",
        { unit: "nodes" },
      ),
    },
    read: withOneWidth,
  },
};

/** Residual blocks with layer normalisation (SimBa, Lee et al. 2024), with the bounds of their mutations. */
export const SimbaSpec: (typeof simbaArchitecture)["spec"] = simbaArchitecture.spec;
export type SimbaSpec = z.output<typeof SimbaSpec>;
export type SimbaSpecInput = z.input<typeof SimbaSpec>;
export type SimbaSettings = Omit<SimbaSpec, "arch">;

const stored = storedFields(settings);

/** A SimBa network (Lee et al. 2024) as plain data. */
export const SimbaData = z.strictObject({
  kind: z.literal("simba"),
  inputs: storedSize,
  outputs: storedSize,
  hidden_size: stored.hidden_size,
  num_blocks: stored.num_blocks,
  scale_factor: stored.scale_factor,
  output_activation: stored.output_activation,
  min_blocks: stored.min_blocks,
  max_blocks: stored.max_blocks,
  min_mlp_nodes: stored.min_mlp_nodes,
  max_mlp_nodes: stored.max_mlp_nodes,
});
export type SimbaData = Readonly<z.output<typeof SimbaData>>;

const inner = ({ hidden_size, scale_factor }: SimbaData): number => hidden_size * scale_factor;
const blocks = ({ num_blocks }: SimbaData): number[] => Array.from({ length: num_blocks }, (_, i) => i + 1);

const simbaData = (inputs: number, outputs: number, settings: SimbaSettings): SimbaData => ({
  kind: "simba",
  inputs,
  outputs,
  hidden_size: settings.hidden_size,
  num_blocks: settings.num_blocks,
  scale_factor: settings.scale_factor,
  output_activation: settings.output_activation ?? "ReLU",
  min_blocks: settings.min_blocks,
  max_blocks: settings.max_blocks,
  min_mlp_nodes: settings.min_mlp_nodes,
  max_mlp_nodes: settings.max_mlp_nodes,
});

function tensors(data: SimbaData, scope: string, ends: ModuleEnds): TensorSpec[] {
  const symbols = ends.symbols ?? scope;
  const stream = widthAxis("stream", data.hidden_size, `${symbols}h`);
  const wide = widthAxis("inner", inner(data), `${symbols}inner`);
  const orthogonal = { kind: "orthogonal", gain: 1 } as const;
  // He et al. 2015, for the ReLU that follows: U(+-sqrt(6 / inputs)).
  const he = (size: number) => uniformInit(size, Math.sqrt(6));
  return [
    ...linearTensors(`${scope}linear_in`, inputAxes(ends, data.inputs), stream, { weight: orthogonal }),
    ...blocks(data).flatMap((i) => [
      ...normTensors(`${scope}block_${i}.layer_norm`, stream),
      ...linearTensors(`${scope}block_${i}.linear_1`, [stream], wide, { weight: he(data.hidden_size) }),
      ...linearTensors(`${scope}block_${i}.linear_2`, [wide], stream, {
        weight: he(inner(data)),
        // A block added by mutation initially adds nothing to the stream.
        added: { weight: ZERO, bias: ZERO },
      }),
    ]),
    ...normTensors(`${scope}layer_norm`, stream),
    ...linearTensors(`${scope}output`, [stream], outputAxis(ends, data.outputs), { weight: orthogonal }),
    ...activationTensors(`${scope}output_activation`, data.output_activation),
  ];
}

function forward(
  data: SimbaData,
  scope: string,
  params: Parameters,
  x: Tensor,
  context?: ForwardContext,
): Tensor {
  const told = (name: string, output: Tensor): Tensor => layerOutput(`${scope}${name}`, output, context);
  let stream = told("linear_in", applyLinear(`${scope}linear_in`, params, x, context));
  for (const i of blocks(data)) {
    const block = `${scope}block_${i}`;
    const linear = (name: string, input: Tensor) => applyLinear(`${block}.${name}`, params, input, context);
    const normed = applyNorm(`${block}.layer_norm`, params, stream, context);
    const hidden = told(`block_${i}.linear_1`, relu(linear("linear_1", normed)));
    stream = add(stream, told(`block_${i}.linear_2`, linear("linear_2", hidden)));
  }
  const normed = applyNorm(`${scope}layer_norm`, params, stream, context);
  const output = applyLinear(`${scope}output`, params, normed, context);
  return told(
    "output",
    applyActivation(`${scope}output_activation`, data.output_activation, params, output, context),
  );
}

const methods = /* @__PURE__ */ blockMethods<SimbaData>({
  count: (d) => d.num_blocks,
  withCount: (d, num_blocks) => ({ ...d, num_blocks }),
  counts: (d) => ({ min: d.min_blocks, max: d.max_blocks }),
  width: (d) => d.hidden_size,
  withWidth: (d, hidden_size) => ({ ...d, hidden_size }),
  allows: (d, width, change) => (change === "add" ? width <= d.max_mlp_nodes : width > d.min_mlp_nodes),
  steps: NODE_STEPS,
  unit: "block",
  part: "node",
});

export const simba: ModuleDefinition<SimbaData, SimbaSettings> = {
  kind: "simba",
  schema: SimbaData,
  encoder: (observed, outputs, settings) => simbaData(observed.size(), outputs, settings),
  methods: () => methods,
  structureKey: (d) => `simba(${d.num_blocks} blocks, output ${d.output_activation ?? "linear"})`,
  tensors,
  widths: (d, scope) => ({ [`${scope}h`]: d.hidden_size, [`${scope}inner`]: inner(d) }),
  forward,
  activation: () => null,
  withActivation: (d) => d,
  withInputs: (d, inputs) => ({ ...d, inputs }),
  withOutputs: (d, outputs) => ({ ...d, outputs }),
  layerNumbers: (d) => d.hidden_size * (2 + d.num_blocks * (1 + d.scale_factor)) + d.outputs,
  describe: (d) => `${d.num_blocks}x${d.hidden_size}`,
};
