import { type Activation } from "../../specs/networks.ts";
import { type Convolutions } from "./convolutions.ts";
import { EvolvableModule, type ModuleChange } from "./EvolvableModule.ts";
import { readOptions } from "./moduleOptions.ts";
import { RESNET_MODULE_DEFAULTS, type ResnetData, resnetArchitecture, resnetData } from "./resnet.ts";

export interface EvolvableResNetOptions {
  /** [channels, height, width]. */
  readonly input_shape: Convolutions["input_shape"];
  readonly num_outputs: number;
  /** Channels of the residual stream. */
  readonly channel_size: number;
  /** Side of all square kernels; must be odd. */
  readonly kernel_size: number;
  /** Stride of the first convolution. */
  readonly stride_size: number;
  readonly num_blocks: number;
  /** Default: none. */
  readonly output_activation?: Activation | null;
  /** Channels inside a block as a multiple of channel_size (default: 4). */
  readonly scale_factor?: number;
  /** Default: 1. */
  readonly min_blocks?: number;
  /** Default: 4. */
  readonly max_blocks?: number;
  /** Default: 32. */
  readonly min_channel_size?: number;
  /** Default: 256. */
  readonly max_channel_size?: number;
  /** Seed of weights and mutations (default: 42). */
  readonly random_seed?: number;
}

/**
 * An evolvable residual network over an image: residual convolutions followed by a dense layer.
 *
 * @example
 * ```ts
 * const actor_network = new EvolvableResNet({
 *   input_shape: [4, 10, 10],
 *   num_outputs: 6,
 *   channel_size: 32,
 *   kernel_size: 3,
 *   stride_size: 1,
 *   num_blocks: 2,
 * });
 * ```
 */
export class EvolvableResNet extends EvolvableModule<ResnetData> {
  /** @throws RangeError when a size is not a positive integer or is out of bounds, or kernel_size is even. */
  constructor(options: EvolvableResNetOptions, weights?: Record<string, Float32Array>) {
    super(fromOptions(options), options.random_seed ?? 42, weights);
  }

  clone(): EvolvableResNet {
    const { kind: _kind, inputs: _inputs, outputs, ...rest } = this.data;
    const { random_seed } = this;
    return new EvolvableResNet({ ...rest, num_outputs: outputs, random_seed }, this.copyWeights());
  }

  /** Adds a block that initially changes nothing; at the maximum number of blocks, adds channels instead. */
  addBlock(): ModuleChange {
    return this.mutate("add_block");
  }

  /** Removes the last block; at the minimum number of blocks, adds channels instead. */
  removeBlock(): ModuleChange {
    return this.mutate("remove_block");
  }

  /** Widens the residual stream, by default by a random number, unless it would reach max_channel_size. */
  addChannel(numb_new_channels?: number): ModuleChange {
    return this.mutate("add_channel", { numb_new_channels });
  }

  /**
   * Narrows the residual stream unless that would leave min_channel_size or fewer. An omitted number of
   * channels is drawn at random.
   */
  removeChannel(numb_new_channels?: number): ModuleChange {
    return this.mutate("remove_channel", { numb_new_channels });
  }
}

function fromOptions(options: EvolvableResNetOptions): ResnetData {
  const { input_shape, num_outputs, output_activation, ...settings } = readOptions(
    "EvolvableResNet",
    options,
    {
      example:
        "{ input_shape: [3, 84, 84], num_outputs: 2, channel_size: 32, kernel_size: 3, stride_size: 1, num_blocks: 1 }",
      sizes: [
        "input_shape",
        "num_outputs",
        "channel_size",
        "kernel_size",
        "stride_size",
        "num_blocks",
        "scale_factor",
      ],
      defaults: { ...RESNET_MODULE_DEFAULTS, output_activation: null, random_seed: 42 },
      rules: resnetArchitecture.rules,
    },
  );
  return { ...resnetData(input_shape, num_outputs, settings), output_activation };
}
