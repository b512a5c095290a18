/** Mutation methods of layers, kernel sizes and channels, within their bounds and the image's size. */
import type { Random } from "../../evolution/random.ts";
import { type Convolutions, fits, type ImageSize, imageSizes, shorterSide } from "./convolutions.ts";
import type { ModuleMutation, MutationArguments, MutationMethod } from "./moduleDefinition.ts";
import { CHANNEL_STEPS } from "./settings.ts";

/** Largest kernel that a mutation may choose: a quarter of its output's shorter side, clamped to 1 to 9. */
const largestKernel = (output: ImageSize): number =>
  Math.min(Math.max(Math.floor(0.25 * shorterSide(output)), 1), 9);

/** How many layers after the first may change their kernel. */
const KERNEL_LAYERS = 3;

const between = (random: Random, low: number, high: number): number => low + random.integer(high - low + 1);
const clamp = (x: number, low: number, high: number): number => Math.min(Math.max(x, low), high);

function changeChannels<Data extends Convolutions>(
  method: "add_channel" | "remove_channel",
  data: Data,
  random: Random,
  args: MutationArguments,
): ModuleMutation<Data> {
  const last = data.channel_size.length - 1;
  const layer = Math.min(args.hidden_layer ?? random.integer(last + 1), last);
  const step = args.numb_new_channels ?? random.choice(CHANNEL_STEPS);
  const width = (data.channel_size[layer] as number) + (method === "add_channel" ? step : -step);
  const allowed = width >= data.min_channel_size && width <= data.max_channel_size;
  return {
    data: allowed ? { ...data, channel_size: data.channel_size.with(layer, width) } : data,
    method,
    args: { hidden_layer: layer, numb_new_channels: step },
  };
}

const addChannel = <Data extends Convolutions>(data: Data, random: Random, args: MutationArguments = {}) =>
  changeChannels("add_channel", data, random, args);

/** Adds a layer as wide as the last if the image is still large enough; otherwise adds channels. */
function addLayer<Data extends Convolutions>(
  data: Data,
  random: Random,
  args: MutationArguments = {},
): ModuleMutation<Data> {
  const image = imageSizes(data).at(-1) as ImageSize;
  const side = shorterSide(image);
  const full = data.channel_size.length >= data.max_hidden_layers;
  if (full || side <= 2 || largestKernel(image) <= 2) return addChannel(data, random);
  const kernel = clamp(args.kernel_size ?? between(random, 2, side), 2, side);
  const stride = clamp(args.stride_size ?? between(random, 1, side - kernel + 1), 1, side - kernel + 1);
  return {
    data: {
      ...data,
      channel_size: [...data.channel_size, data.channel_size.at(-1) as number],
      kernel_size: [...data.kernel_size, kernel],
      stride_size: [...data.stride_size, stride],
    },
    method: "add_layer",
    args: { kernel_size: kernel, stride_size: stride },
  };
}

function removeLayer<Data extends Convolutions>(data: Data, random: Random): ModuleMutation<Data> {
  if (data.channel_size.length <= Math.max(1, data.min_hidden_layers)) return addChannel(data, random);
  return {
    data: {
      ...data,
      channel_size: data.channel_size.slice(0, -1),
      kernel_size: data.kernel_size.slice(0, -1),
      stride_size: data.stride_size.slice(0, -1),
    },
    method: "remove_layer",
    args: {},
  };
}

/** Changes the kernel size of a layer after the first; if there is only one layer, adds a layer. */
function changeKernel<Data extends Convolutions>(
  data: Data,
  random: Random,
  args: MutationArguments = {},
): ModuleMutation<Data> {
  const last = data.kernel_size.length - 1;
  if (last === 0) return addLayer(data, random);
  const layer = clamp(args.hidden_layer ?? between(random, 1, Math.min(KERNEL_LAYERS, last)), 1, last);
  const largest = largestKernel(imageSizes(data)[layer + 1] as ImageSize);
  const others = Array.from({ length: largest }, (_, i) => i + 1).filter(
    (side) => side !== data.kernel_size[layer],
  );
  const kernel = args.kernel_size ?? (others.length > 0 ? random.choice(others) : data.kernel_size[layer]);
  const kernels = data.kernel_size.with(layer, kernel as number);
  const next = { ...data, kernel_size: kernels };
  const changed = kernel !== data.kernel_size[layer] && fits(next);
  return {
    data: changed ? next : data,
    method: "change_kernel",
    args: { hidden_layer: layer, kernel_size: kernel as number },
  };
}

export const convolutionMethods = <Data extends Convolutions>(): readonly MutationMethod<Data>[] => [
  { name: "add_layer", type: "layer", apply: addLayer },
  { name: "remove_layer", type: "layer", apply: removeLayer },
  { name: "change_kernel", type: "node", apply: changeKernel },
  { name: "add_channel", type: "node", apply: addChannel },
  {
    name: "remove_channel",
    type: "node",
    apply: (data, random, args = {}) => changeChannels("remove_channel", data, random, args),
  },
];
