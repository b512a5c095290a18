import type { Activation } from "../../specs/networks/Activation.ts";
import type { ResnetSettings } from "../../specs/networks/ResnetSpec.ts";
import { type Convolutions, imageNumbers } from "./convolutions.ts";

/** Residual convolutions over an image with a dense layer behind them, as plain data. */
export interface ResnetData {
  readonly kind: "resnet";
  /** [channels, height, width] of the image. */
  readonly input_shape: Convolutions["input_shape"];
  /** Numbers of the image. */
  readonly inputs: number;
  readonly outputs: number;
  /** Channels of the residual stream. */
  readonly channel_size: number;
  /** Side of all kernels, odd. */
  readonly kernel_size: number;
  /** Step of the first convolution. */
  readonly stride_size: number;
  /** Residual blocks, at least one. */
  readonly num_blocks: number;
  /** Channels inside a block as a multiple of channel_size. */
  readonly scale_factor: number;
  readonly output_activation: Activation | null;
  readonly min_blocks: number;
  readonly max_blocks: number;
  readonly min_channel_size: number;
  readonly max_channel_size: number;
}

/** An encoder from its settings.
 * @throws RangeError for an even kernel. */
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

/** A block's result has the size of what it is added to only when both sides are padded alike. */
function requireOdd(kernel_size: number): void {
  if (kernel_size % 2 === 1) return;
  throw new RangeError(
    `kernel_size: found ${kernel_size}, allowed odd numbers: residual blocks keep the image's size`,
  );
}
