/** How large a network would be, from its data alone: nothing here holds a weight. */
import { axisSize, type TensorSpec, tensorSize } from "../../evolution/tensorSpec.ts";
import { type Convolutions, imageSizes } from "../modules/convolutions.ts";
import type { ModuleData } from "../modules/moduleData.ts";
import type { NetworkData } from "./networkData.ts";
import { networkTensors } from "./networkTensors.ts";

export interface NetworkSize {
  readonly weights: number;
  readonly tensors: number;
  /** Numbers of the largest tensor. */
  readonly largest: number;
  /** Numbers that layers give for one observation, roughly, without those of another network's encoder. */
  readonly activations: number;
  /** Multiplications and additions of drawing the first weights. */
  readonly drawing: number;
}

/** Orthogonal weights are made so vector by vector: cubic in the size. */
function drawingOf(spec: TensorSpec): number {
  const size = tensorSize(spec);
  if (spec.init.kind !== "orthogonal") return size;
  const columns = axisSize(spec.axes.at(-1) ?? []);
  return 2 * size * Math.min(columns, size / columns);
}

const total = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0);

/** With the patches that the widest convolution reads. */
function convolutionNumbers(data: Convolutions): number {
  const places = imageSizes(data).map(([height, width]) => height * width);
  const layers = data.channel_size.map((channels, i) => channels * (places[i + 1] as number));
  const patches = data.kernel_size.map((kernel, i) => {
    const from = i === 0 ? data.input_shape[0] : (data.channel_size[i - 1] as number);
    return kernel * kernel * from * (places[i + 1] as number);
  });
  return total(layers) + Math.max(...patches);
}

const lstmNumbers = (hidden: number, layers: number): number => 6 * hidden * layers;

function moduleNumbers(data: ModuleData): number {
  switch (data.kind) {
    case "mlp":
      return total(data.hidden_size) + data.outputs;
    case "dueling":
      return 2 * total(data.hidden_size) + 2 * data.outputs;
    case "simba":
      return data.hidden_size * (2 + data.num_blocks * (1 + data.scale_factor)) + data.outputs;
    case "lstm":
      return lstmNumbers(data.hidden_state_size, data.num_layers) + data.outputs;
    case "cnn":
      return convolutionNumbers(data) + data.outputs;
    case "cnn_lstm":
      return (
        convolutionNumbers(data.cnn) +
        lstmNumbers(data.lstm.hidden_state_size, data.lstm.num_layers) +
        data.outputs
      );
    case "resnet": {
      const [, height, width] = data.input_shape;
      const places = Math.ceil(height / data.stride_size) * Math.ceil(width / data.stride_size);
      const widest = data.kernel_size * data.kernel_size * data.channel_size * data.scale_factor;
      const stream = data.channel_size * (1 + data.num_blocks * (1 + data.scale_factor));
      return places * (stream + widest) + data.outputs;
    }
    case "multiinput": {
      const parts = data.parts.map(({ cnn }) => (cnn ? moduleNumbers(cnn) : 0));
      return total(parts) + (data.vector_mlp ? moduleNumbers(data.vector_mlp) : 0) + data.outputs;
    }
  }
}

export function networkSize(data: NetworkData): NetworkSize {
  const specs = networkTensors(data);
  const sizes = specs.map(tensorSize);
  const { encoder, head } = data;
  const own = encoder !== null && encoder !== "shared" ? moduleNumbers(encoder) : 0;
  return {
    weights: total(sizes),
    tensors: specs.length,
    largest: Math.max(0, ...sizes),
    activations: own + moduleNumbers(head),
    drawing: total(specs.map(drawingOf)),
  };
}
