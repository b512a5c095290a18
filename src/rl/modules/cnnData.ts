import type { Activation } from "../../specs/networks/Activation.ts";
import type { CnnSettings } from "../../specs/networks/CnnSpec.ts";
import { type Convolutions, fits, imageNumbers } from "./convolutions.ts";

/** Convolutions over an image with a dense layer behind them, as plain data. */
export interface CnnData extends Convolutions {
  readonly kind: "cnn";
  /** Numbers of the image. */
  readonly inputs: number;
  readonly outputs: number;
  readonly output_activation: Activation | null;
}

/** The convolutions of a specification for images [channels, height, width].
 * @throws RangeError when a kernel is larger than its image. */
export function convolutionsData(
  input_shape: Convolutions["input_shape"],
  settings: Omit<Convolutions, "input_shape">,
): Convolutions {
  const data: Convolutions = {
    input_shape,
    channel_size: [...settings.channel_size],
    kernel_size: [...settings.kernel_size],
    stride_size: [...settings.stride_size],
    activation: settings.activation,
    layer_norm: settings.layer_norm,
    init_layers: settings.init_layers,
    min_hidden_layers: settings.min_hidden_layers,
    max_hidden_layers: settings.max_hidden_layers,
    min_channel_size: settings.min_channel_size,
    max_channel_size: settings.max_channel_size,
  };
  if (!fits(data)) {
    const [channels, height, width] = input_shape;
    throw new RangeError(
      `kernel_size: found ${data.kernel_size.join(", ")} with stride_size ${data.stride_size.join(", ")}, allowed kernels that fit into images of ${height} x ${width} (${channels} channels); choose smaller kernels or strides`,
    );
  }
  return data;
}

/** An encoder from its settings. */
export const cnnData = (
  input_shape: Convolutions["input_shape"],
  outputs: number,
  settings: CnnSettings,
): CnnData => ({
  kind: "cnn",
  inputs: imageNumbers(input_shape),
  outputs,
  output_activation: settings.activation,
  ...convolutionsData(input_shape, settings),
});
