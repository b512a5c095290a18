import { type Activation } from "../../specs/networks.ts";
import { type CnnData, convolutionsData } from "./cnn.ts";
import { CNN_MODULE_DEFAULTS, CNN_RULES, type Convolutions, imageNumbers } from "./convolutions.ts";
import { EvolvableModule, type ModuleChange } from "./EvolvableModule.ts";
import { readOptions } from "./moduleOptions.ts";

export interface EvolvableCNNOptions {
  /** [channels, height, width]. */
  readonly input_shape: Convolutions["input_shape"];
  readonly num_outputs: number;
  /** Output channels of each convolution. */
  readonly channel_size: readonly number[];
  /** Side of each convolution's square kernel. */
  readonly kernel_size: readonly number[];
  readonly stride_size: readonly number[];
  /** Default: ReLU. */
  readonly activation?: Activation;
  /** Default: none. */
  readonly output_activation?: Activation | null;
  /** Layer normalisation over the channels at each position (default: false). */
  readonly layer_norm?: boolean;
  /** Default: true. */
  readonly init_layers?: boolean;
  /** Default: 1. */
  readonly min_hidden_layers?: number;
  /** Default: 6. */
  readonly max_hidden_layers?: number;
  /** Default: 16. */
  readonly min_channel_size?: number;
  /** Default: 256. */
  readonly max_channel_size?: number;
  /** Seed of weights and mutations (default: 42). */
  readonly random_seed?: number;
}

/**
 * An evolvable convolutional network over an image: convolutions followed by a dense layer.
 *
 * @example
 * ```ts
 * const actor_network = new EvolvableCNN({
 *   input_shape: [4, 10, 10],
 *   num_outputs: 6,
 *   channel_size: [16],
 *   kernel_size: [3],
 *   stride_size: [1],
 * });
 * ```
 */
export class EvolvableCNN extends EvolvableModule<CnnData> {
  /**
   * @throws RangeError when a size is not a positive integer, is out of bounds, or does not fit the image.
   */
  constructor(options: EvolvableCNNOptions, weights?: Record<string, Float32Array>) {
    super(fromOptions(options), options.random_seed ?? 42, weights);
  }

  clone(): EvolvableCNN {
    const { kind: _kind, inputs: _inputs, outputs, ...rest } = this.data;
    const { random_seed } = this;
    return new EvolvableCNN({ ...rest, num_outputs: outputs, random_seed }, this.copyWeights());
  }

  /** Adds a convolution as wide as the last if the image is large enough; otherwise adds channels. */
  addLayer(kernel_size?: number, stride_size?: number): ModuleChange {
    return this.mutate("add_layer", { kernel_size, stride_size });
  }

  /** Removes the last convolution; at the minimum number of layers, adds channels instead. */
  removeLayer(): ModuleChange {
    return this.mutate("remove_layer");
  }

  /** Changes the kernel size of a convolution after the first; if there is only one, adds a convolution. */
  changeKernel(kernel_size?: number, hidden_layer?: number): ModuleChange {
    return this.mutate("change_kernel", { kernel_size, hidden_layer });
  }

  /**
   * Adds channels to a convolution unless it would exceed max_channel_size. An omitted layer (0-based) or
   * number of channels is drawn at random.
   */
  addChannel(hidden_layer?: number, numb_new_channels?: number): ModuleChange {
    return this.mutate("add_channel", { hidden_layer, numb_new_channels });
  }

  /**
   * Removes channels from a convolution unless it would fall below min_channel_size. An omitted layer
   * (0-based) or number of channels is drawn at random.
   */
  removeChannel(hidden_layer?: number, numb_new_channels?: number): ModuleChange {
    return this.mutate("remove_channel", { hidden_layer, numb_new_channels });
  }
}

function fromOptions(options: EvolvableCNNOptions): CnnData {
  const { input_shape, num_outputs, output_activation, ...settings } = readOptions("EvolvableCNN", options, {
    example:
      "{ input_shape: [3, 84, 84], num_outputs: 2, channel_size: [32], kernel_size: [3], stride_size: [1] }",
    sizes: ["input_shape", "num_outputs", "channel_size", "kernel_size", "stride_size"],
    defaults: { ...CNN_MODULE_DEFAULTS, output_activation: null, random_seed: 42 },
    rules: CNN_RULES,
  });
  const inputs = imageNumbers(input_shape);
  const convolutions = convolutionsData(input_shape, settings);
  return { kind: "cnn", inputs, outputs: num_outputs, output_activation, ...convolutions };
}
