/**
 * A stack of convolutions over an image: [convolution without padding -> normalisation -> activation] for each
 * layer. Its output is an image too, which the enclosing module flattens.
 */

import { z } from "zod";
import type { Axis, Init, TensorSpec } from "../../evolution/members.ts";
import { type Dim, reshape, sizeOf, type Tensor } from "../../kernels/index.ts";
import { count, field, integer, layerSizes, layers } from "../../specs/checks.ts";
import { Activation } from "../../specs/networks.ts";
import {
  activationTensors,
  applyActivation,
  applyConvolution,
  applyNorm,
  fanIn,
  layerOutput,
  normTensors,
  plainAxis,
  total,
  uniformInit,
  widthAxis,
  ZERO,
} from "./layers.ts";
import type { ForwardContext, Parameters } from "./moduleDefinition.ts";
import { type BoundsRule, defaultsWith, storedFields, storedImage } from "./settings.ts";

const bound = { advanced: true };

/** Fields of the convolutions, also used by encoders with more layers after them. @internal */
export const cnnSettings = {
  channel_size: field(layerSizes(), "Output channels of each convolution.", { unit: "channels" }),
  kernel_size: field(layerSizes(), "Side of each convolution's square kernel.", { unit: "pixels" }),
  stride_size: field(layerSizes(count(1)), "Step of each convolution.", { unit: "pixels" }),
  activation: field(Activation.default("ReLU"), "Activation after each convolution and after the output."),
  layer_norm: field(
    z.boolean().default(false),
    "Layer normalisation over the channels at each position, before each activation.",
  ),
  init_layers: field(
    z.boolean().default(true),
    "Orthogonal initial weights of the convolutions, with zero biases.",
    bound,
  ),
  min_hidden_layers: field(layers(1).default(1), "Fewest convolutions after mutations.", bound),
  max_hidden_layers: field(integer(1).default(6), "Most convolutions after mutations.", bound),
  min_channel_size: field(integer(1).default(8), "Fewest channels after mutations.", bound),
  max_channel_size: field(integer(1).default(256), "Most channels after mutations.", bound),
};

export const CNN_RULES: readonly BoundsRule[] = [
  {
    widths: "channel_size",
    lists: ["kernel_size", "stride_size"],
    layer: "convolution",
    min_layers: "min_hidden_layers",
    max_layers: "max_hidden_layers",
    min_width: "min_channel_size",
    max_width: "max_channel_size",
  },
];

/** Defaults for convolutions that callers create. @internal */
export const CNN_MODULE_DEFAULTS = defaultsWith(cnnSettings, { min_channel_size: 16 });
/** Defaults for settings that a section does not give. @internal */
export const CNN_DEFAULTS = {
  ...CNN_MODULE_DEFAULTS,
  channel_size: [32, 32],
  kernel_size: [3, 3],
  stride_size: [1, 1],
};

const stored = storedFields(cnnSettings);

/** Convolutions as plain data. `input_shape` is [channels, height, width] of the image. */
export const Convolutions = z.strictObject({ input_shape: storedImage, ...stored });
export type Convolutions = Readonly<z.output<typeof Convolutions>>;

/** Height and width of an image. */
export type ImageSize = readonly [height: number, width: number];

/** Number of kernel positions along the height and width of an image: the size of the output. */
export const placesOf = (image: ImageSize, kernel: number, stride: number): ImageSize => {
  const places = (length: number) => Math.floor((length - kernel) / stride) + 1;
  return [places(image[0]), places(image[1])];
};

type Geometry = Pick<Convolutions, "input_shape" | "kernel_size" | "stride_size">;

/** Image sizes before the first layer and after each layer; below 1 if a kernel is larger than its image. */
export function imageSizes({ input_shape, kernel_size, stride_size }: Geometry): ImageSize[] {
  const sizes: ImageSize[] = [[input_shape[1], input_shape[2]]];
  kernel_size.forEach((kernel, i) => {
    sizes.push(placesOf(sizes[i] as ImageSize, kernel, stride_size[i] as number));
  });
  return sizes;
}

/** Length of the shorter side. */
export const shorterSide = (image: ImageSize): number => Math.min(...image);

/** Whether every kernel fits into its image. */
export const fits = (data: Geometry): boolean => imageSizes(data).every((image) => shorterSide(image) >= 1);

/** How many numbers an image has. */
export const imageNumbers = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1);

/** How many numbers the last layer's output image has. */
export function flattenedSize(data: Convolutions): number {
  const [height, width] = imageSizes(data).at(-1) as ImageSize;
  return height * width * (data.channel_size.at(-1) as number);
}

/** A square convolution's weight [row, column, from, to] and, if `bias` is set, its bias. @internal */
export function convolutionTensors(
  name: string,
  [kernel, from, to]: readonly [kernel: number, from: Axis, to: Axis],
  options: { readonly weight: Init; readonly bias?: Init; readonly added?: Init },
): TensorSpec[] {
  const weight: TensorSpec = {
    name: `${name}.weight`,
    axes: [plainAxis("row", kernel), plainAxis("column", kernel), from, to],
    init: options.weight,
    ...(options.added && { added: options.added }),
    role: "kernel",
    inputAxes: [0, 1, 2],
    fileAxes: [[3], [2], [0], [1]],
  };
  if (!options.bias) return [weight];
  return [weight, { name: `${name}.bias`, axes: [to], init: options.bias, added: ZERO, role: "bias" }];
}

const channels = (data: Convolutions, symbols: string, layer: number, label = `channel_${layer}`): Axis =>
  widthAxis(label, data.channel_size[layer] as number, `${symbols}c${layer}`);

export function convolutionStackTensors(data: Convolutions, scope: string, symbols: string): TensorSpec[] {
  return data.kernel_size.flatMap((kernel, i) => {
    const from = i === 0 ? plainAxis("channel", data.input_shape[0]) : channels(data, symbols, i - 1);
    const to = channels(data, symbols, i);
    const inputs = fanIn([plainAxis("kernel", kernel * kernel), from]);
    const uniform = uniformInit(inputs);
    return [
      ...convolutionTensors(`${scope}conv_${i + 1}`, [kernel, from, to], {
        weight: data.init_layers ? { kind: "orthogonal", gain: Math.SQRT2 } : uniform,
        bias: data.init_layers ? ZERO : uniform,
        // A layer added by mutation copies the number at its kernel's first position.
        added: { kind: "identity" },
      }),
      ...(data.layer_norm ? normTensors(`${scope}layer_norm_${i + 1}`, to) : []),
      ...activationTensors(`${scope}activation_${i + 1}`, data.activation),
    ];
  });
}

/** Axes [row, column, channel] of the stack's output, for the layer that reads it. */
export function flattenedAxes(data: Convolutions, symbols: string): readonly Axis[] {
  const [height, width] = imageSizes(data).at(-1) as ImageSize;
  // The label refers to the last layer, whichever it is, so the next layer keeps its weights when a layer is
  // added.
  const last = channels(data, symbols, data.channel_size.length - 1, "last_channel");
  return [plainAxis("row", height), plainAxis("column", width), last];
}

export const convolutionWidths = (data: Convolutions, scope: string): Record<string, number> =>
  Object.fromEntries(data.channel_size.map((width, i) => [`${scope}c${i}`, width]));

/** How many numbers the layers output for one image, plus the patches that the widest convolution reads. */
export function convolutionNumbers(data: Convolutions): number {
  const places = imageSizes(data).map(([height, width]) => height * width);
  const layers = data.channel_size.map((channels, i) => channels * (places[i + 1] as number));
  const patches = data.kernel_size.map((kernel, i) => {
    const from = i === 0 ? data.input_shape[0] : (data.channel_size[i - 1] as number);
    return kernel * kernel * from * (places[i + 1] as number);
  });
  return total(layers) + Math.max(...patches);
}

/** Key of the stack's structure in a program: everything except the channel sizes. */
export const convolutionsKey = (d: Convolutions): string =>
  `${d.input_shape.join("x")}, kernels ${d.kernel_size.join("-")} strides ${d.stride_size.join("-")} ${d.layer_norm ? "norm " : ""}${d.activation}`;

/** Rows [n, numbers] as images [n, height, width, channels]. */
export const asImages = (x: Tensor, [depth, height, width]: Convolutions["input_shape"]): Tensor =>
  reshape(x, [x.shape[0] as Dim, height, width, depth]);

/** Images [n, ...] as rows [n, numbers]. */
export const asRows = (x: Tensor): Tensor => reshape(x, [x.shape[0] as Dim, sizeOf(x.shape.slice(1))]);

/** Rows [n, height * width * channels] -> rows [n, flattened]. */
export function convolve(
  data: Convolutions,
  scope: string,
  params: Parameters,
  x: Tensor,
  context?: ForwardContext,
): Tensor {
  let image = asImages(x, data.input_shape);
  data.stride_size.forEach((stride, i) => {
    const name = `${scope}conv_${i + 1}`;
    image = applyConvolution(name, params, image, { stride: [stride, stride] }, context);
    if (data.layer_norm) image = applyNorm(`${scope}layer_norm_${i + 1}`, params, image, context);
    image = applyActivation(`${scope}activation_${i + 1}`, data.activation, params, image, context);
    layerOutput(name, image, context);
  });
  return asRows(image);
}
