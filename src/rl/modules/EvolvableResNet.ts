import { checkNames, type OptionNames } from "../../specs/checks.ts";
import { type Activation } from "../../specs/networks.ts";
import { type Convolutions } from "./convolutions.ts";
import { EvolvableModule, type ModuleChange } from "./EvolvableModule.ts";
import { requireSizes, requireWithin } from "./optionChecks.ts";
import { RESNET_MODULE_DEFAULTS, type ResnetData, resnetData } from "./resnet.ts";

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

const NAMES: OptionNames<EvolvableResNetOptions> = {
  input_shape: true,
  num_outputs: true,
  channel_size: true,
  kernel_size: true,
  stride_size: true,
  num_blocks: true,
  output_activation: true,
  scale_factor: true,
  min_blocks: true,
  max_blocks: true,
  min_channel_size: true,
  max_channel_size: true,
  random_seed: true,
};

const EXAMPLE =
  "{ input_shape: [3, 84, 84], num_outputs: 2, channel_size: 32, kernel_size: 3, stride_size: 1, num_blocks: 1 }";

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
    return this.mutate("add_channel", numb_new_channels === undefined ? {} : { numb_new_channels });
  }

  /**
   * Narrows the residual stream unless that would leave min_channel_size or fewer. An omitted number of
   * channels is drawn at random.
   */
  removeChannel(numb_new_channels?: number): ModuleChange {
    return this.mutate("remove_channel", numb_new_channels === undefined ? {} : { numb_new_channels });
  }
}

function fromOptions(options: EvolvableResNetOptions): ResnetData {
  checkNames("EvolvableResNet", options, NAMES, { example: EXAMPLE });
  const defaults = RESNET_MODULE_DEFAULTS;
  const { input_shape, num_outputs, channel_size, kernel_size, stride_size, num_blocks } = options;
  const {
    scale_factor = defaults.scale_factor,
    min_blocks = defaults.min_blocks,
    max_blocks = defaults.max_blocks,
    output_activation = null,
  } = options;
  const { min_channel_size = defaults.min_channel_size, max_channel_size = defaults.max_channel_size } =
    options;
  const name = "EvolvableResNet";
  const sizes = { input_shape, num_outputs, channel_size, kernel_size, stride_size, num_blocks };
  requireSizes(name, { ...sizes, scale_factor });
  const blocks = ["num_blocks", num_blocks] as const;
  requireWithin(name, blocks, ["min_blocks", min_blocks], ["max_blocks", max_blocks]);
  requireWithin(
    name,
    ["channel_size", channel_size],
    ["min_channel_size", min_channel_size],
    ["max_channel_size", max_channel_size],
  );
  const settings = { channel_size, kernel_size, stride_size, num_blocks, scale_factor };
  const bounds = { min_blocks, max_blocks, min_channel_size, max_channel_size };
  return { ...resnetData(input_shape, num_outputs, { ...settings, ...bounds }), output_activation };
}
