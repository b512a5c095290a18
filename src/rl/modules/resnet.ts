/**
 * Residual convolutions (He et al. 2016) over an image: convolution -> blocks relu(x + norm(conv(relu(norm(conv(x))))))
 * -> flattened -> linear -> output activation. Normalisation is over the channels at each position.
 */

import { z } from "zod";
import type { Axis, TensorSpec } from "../../evolution/members.ts";
import { type ConvolutionOptions, relu } from "../../kernels/functions.ts";
import { add, type Tensor } from "../../kernels/index.ts";
import { count, field, integer, layers } from "../../specs/checks.ts";
import { Activation } from "../../specs/networks.ts";
import {
  asImages,
  asRows,
  type Convolutions,
  convolutionTensors,
  type ImageSize,
  imageNumbers,
  placesOf,
} from "./convolutions.ts";
import { defineArchitecture } from "./defineArchitecture.ts";
import {
  activationTensors,
  applyActivation,
  applyConvolution,
  applyLinear,
  applyNorm,
  fanIn,
  layerOutput,
  linearTensors,
  normTensors,
  outputAxis,
  plainAxis,
  uniformInit,
  widthAxis,
  ZERO,
} from "./layers.ts";
import type { ForwardContext, ModuleDefinition, ModuleEnds, Parameters } from "./moduleDefinition.ts";
import { blockMethods } from "./mutationMethods.ts";
import { CHANNEL_STEPS, defaultsWith, storedFields, storedImage, storedSize } from "./settings.ts";

const bound = { advanced: true };

const settings = {
  channel_size: field(integer(1), "Channels of the residual stream.", { unit: "channels" }),
  kernel_size: field(integer(1), "Side of the square kernels.", { unit: "pixels" }),
  stride_size: field(count(1), "Step of the first convolution.", { unit: "pixels" }),
  num_blocks: field(layers(1), "Residual blocks."),
  scale_factor: field(integer(1).default(4), "Channels inside a block as a multiple of channel_size.", bound),
  min_blocks: field(layers(1).default(1), "Fewest blocks after mutations.", bound),
  max_blocks: field(integer(1).default(4), "Most blocks after mutations.", bound),
  min_channel_size: field(integer(1).default(32), "Fewest channels after mutations.", bound),
  max_channel_size: field(integer(1).default(256), "Most channels after mutations.", bound),
};

/** Defaults for residual convolutions that callers create: the same as those of a section. @internal */
export const RESNET_MODULE_DEFAULTS = defaultsWith(settings, {});

/**
 * Residual convolutions as an encoder. The manifests of AgileRL have no such architecture, so it is never
 * inferred.
 */
export const resnetArchitecture = defineArchitecture({
  arch: "resnet",
  description: "Residual convolutions over an image; specific to rlkit.",
  settings,
  rules: [
    { size: "channel_size", min: "min_channel_size", max: "max_channel_size" },
    { size: "num_blocks", min: "min_blocks", max: "max_blocks" },
  ],
  reads: "image",
});

/** A residual convolutional network over an image, with the bounds of its mutations. */
export const ResnetSpec: (typeof resnetArchitecture)["spec"] = resnetArchitecture.spec;
export type ResnetSpec = z.output<typeof ResnetSpec>;
export type ResnetSpecInput = z.input<typeof ResnetSpec>;
export type ResnetSettings = Omit<ResnetSpec, "arch">;

const stored = storedFields(settings);

/**
 * Residual convolutions over an image, then a dense layer, as data. `inputs` is the image's number of values.
 */
export const ResnetData = z.strictObject({
  kind: z.literal("resnet"),
  input_shape: storedImage,
  inputs: storedSize,
  outputs: storedSize,
  channel_size: stored.channel_size,
  kernel_size: stored.kernel_size,
  stride_size: stored.stride_size,
  num_blocks: stored.num_blocks,
  scale_factor: stored.scale_factor,
  output_activation: Activation.nullable(),
  min_blocks: stored.min_blocks,
  max_blocks: stored.max_blocks,
  min_channel_size: stored.min_channel_size,
  max_channel_size: stored.max_channel_size,
});
export type ResnetData = Readonly<z.output<typeof ResnetData>>;

/** Data of an encoder, from its settings.
 * @throws RangeError when kernel_size is even. */
export function resnetData(
  input_shape: Convolutions["input_shape"],
  outputs: number,
  settings: ResnetSettings,
): ResnetData {
  requireOdd(settings.kernel_size);
  return {
    kind: "resnet",
    input_shape,
    inputs: imageNumbers(input_shape),
    outputs,
    channel_size: settings.channel_size,
    kernel_size: settings.kernel_size,
    stride_size: settings.stride_size,
    num_blocks: settings.num_blocks,
    scale_factor: settings.scale_factor,
    output_activation: "ReLU",
    min_blocks: settings.min_blocks,
    max_blocks: settings.max_blocks,
    min_channel_size: settings.min_channel_size,
    max_channel_size: settings.max_channel_size,
  };
}

/** A block's output has the stream's size only if both sides have equal padding, so kernels must be odd. */
function requireOdd(kernel_size: number): void {
  if (kernel_size % 2 === 1) return;
  throw new RangeError(
    `kernel_size: found ${kernel_size}, allowed odd numbers, because residual blocks must keep the image's size`,
  );
}

const inner = ({ channel_size, scale_factor }: ResnetData): number => channel_size * scale_factor;
const padding = ({ kernel_size }: ResnetData): number => (kernel_size - 1) / 2;
const blocks = ({ num_blocks }: ResnetData): number[] => Array.from({ length: num_blocks }, (_, i) => i + 1);

/** Height and width after the first convolution; the blocks do not change them. */
function streamSize(data: ResnetData): ImageSize {
  const [, height, width] = data.input_shape;
  const around = 2 * padding(data);
  return placesOf([height + around, width + around], data.kernel_size, data.stride_size);
}

function tensors(data: ResnetData, scope: string, ends: ModuleEnds): TensorSpec[] {
  const symbols = ends.symbols ?? scope;
  const stream = widthAxis("stream", data.channel_size, `${symbols}c`);
  const wide = widthAxis("inner", inner(data), `${symbols}inner`);
  const kernel = plainAxis("kernel", data.kernel_size * data.kernel_size);
  // He et al. 2015: U(+-sqrt(6 / inputs)).
  const conv = (name: string, from: Axis, to: Axis) =>
    convolutionTensors(`${scope}${name}`, [data.kernel_size, from, to], {
      weight: uniformInit(fanIn([kernel, from]), Math.sqrt(6)),
    });
  const [height, width] = streamSize(data);
  return [
    ...conv("conv", plainAxis("channel", data.input_shape[0]), stream),
    ...blocks(data).flatMap((i) => [
      ...conv(`block_${i}.conv_1`, stream, wide),
      ...normTensors(`${scope}block_${i}.norm_1`, wide),
      ...conv(`block_${i}.conv_2`, wide, stream),
      // A block added by mutation initially adds nothing to the stream.
      ...normTensors(`${scope}block_${i}.norm_2`, stream).map((spec) => ({ ...spec, added: ZERO })),
    ]),
    ...linearTensors(
      `${scope}output`,
      [plainAxis("row", height), plainAxis("column", width), stream],
      outputAxis(ends, data.outputs),
    ),
    ...activationTensors(`${scope}output_activation`, data.output_activation),
  ];
}

function forward(
  data: ResnetData,
  scope: string,
  params: Parameters,
  x: Tensor,
  context?: ForwardContext,
): Tensor {
  const told = (name: string, output: Tensor): Tensor => layerOutput(`${scope}${name}`, output, context);
  const both = [padding(data), padding(data)];
  const conv = (name: string, image: Tensor, options: ConvolutionOptions) =>
    applyConvolution(`${scope}${name}`, params, image, { padding: both, ...options }, context);
  const norm = (name: string, image: Tensor) => applyNorm(`${scope}${name}`, params, image, context);
  const { stride_size: stride } = data;
  let stream = conv("conv", asImages(x, data.input_shape), { stride: [stride, stride] });
  told("conv", stream);
  for (const i of blocks(data)) {
    const block = `block_${i}`;
    const inner = (name: string, image: Tensor) =>
      conv(`${block}.${name}`, image, { padding_mode: "replicate" });
    const hidden = relu(norm(`${block}.norm_1`, inner("conv_1", stream)));
    told(`${block}.conv_1`, hidden);
    stream = relu(add(stream, norm(`${block}.norm_2`, inner("conv_2", hidden))));
    told(`${block}.conv_2`, stream);
  }
  const value = applyLinear(`${scope}output`, params, asRows(stream), context);
  const activated = applyActivation(
    `${scope}output_activation`,
    data.output_activation,
    params,
    value,
    context,
  );
  return told("output", activated);
}

const methods = /* @__PURE__ */ blockMethods<ResnetData>({
  count: (d) => d.num_blocks,
  withCount: (d, num_blocks) => ({ ...d, num_blocks }),
  counts: (d) => ({ min: d.min_blocks, max: d.max_blocks }),
  width: (d) => d.channel_size,
  withWidth: (d, channel_size) => ({ ...d, channel_size }),
  allows: (d, width) => width > d.min_channel_size && width < d.max_channel_size,
  steps: CHANNEL_STEPS,
  unit: "block",
  part: "channel",
});

export const resnet: ModuleDefinition<ResnetData, ResnetSettings> = {
  kind: "resnet",
  schema: ResnetData,
  encoder: (observed, outputs, settings) => resnetData(observed.image(), outputs, settings),
  methods: () => methods,
  structureKey: (d) =>
    `resnet(${d.input_shape.join("x")}, kernel ${d.kernel_size} stride ${d.stride_size}, ${d.num_blocks} blocks, output ${d.output_activation ?? "linear"})`,
  tensors,
  widths: (d, scope) => ({ [`${scope}c`]: d.channel_size, [`${scope}inner`]: inner(d) }),
  forward,
  activation: () => null,
  withActivation: (d) => d,
  withOutputs: (d, outputs) => ({ ...d, outputs }),
  layerNumbers: (d) => {
    const [, height, width] = d.input_shape;
    const places = Math.ceil(height / d.stride_size) * Math.ceil(width / d.stride_size);
    const widest = d.kernel_size * d.kernel_size * inner(d);
    const stream = d.channel_size * (1 + d.num_blocks * (1 + d.scale_factor));
    return places * (stream + widest) + d.outputs;
  },
  describe: (d) => `${d.num_blocks}x${d.channel_size}k${d.kernel_size}`,
};
