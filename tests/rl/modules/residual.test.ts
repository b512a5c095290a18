import { describe, expect, it } from "vitest";
import { EvolvableResNet, EvolvableSimBa } from "../../../src/agents/index.ts";
import { moduleInputs, runModule, shake } from "../support/runModule.ts";

type Weights = Readonly<Record<string, Float32Array>>;
const get = (weights: Weights, name: string): Float32Array => weights[name] as Float32Array;
const relu = (x: readonly number[]): number[] => x.map((v) => Math.max(v, 0));

function linear(weights: Weights, name: string, x: readonly number[]): number[] {
  const bias = [...get(weights, `${name}.bias`)];
  const weight = get(weights, `${name}.weight`);
  return bias.map((b, j) => x.reduce((sum, v, i) => sum + v * (weight[i * bias.length + j] as number), b));
}

function norm(weights: Weights, name: string, x: readonly number[]): number[] {
  const mean = x.reduce((a, b) => a + b, 0) / x.length;
  const variance = x.reduce((a, b) => a + (b - mean) ** 2, 0) / x.length;
  const [scale, shift] = [get(weights, `${name}.weight`), get(weights, `${name}.bias`)];
  return x.map(
    (v, i) => ((v - mean) / Math.sqrt(variance + 1e-5)) * (scale[i] as number) + (shift[i] as number),
  );
}

const sum = (a: readonly number[], b: readonly number[]): number[] => a.map((v, i) => v + (b[i] as number));

describe("SimBa", () => {
  it("adds to its stream what each block makes of the normalised stream", () => {
    const module = new EvolvableSimBa({
      num_inputs: 3,
      num_outputs: 2,
      hidden_size: 16,
      num_blocks: 2,
      scale_factor: 2,
      output_activation: "ReLU",
    });
    shake(module);
    const w = module.parameters();
    const x = moduleInputs(module.data, 1);
    let stream = linear(w, "linear_in", [...x]);
    for (const block of ["block_1", "block_2"]) {
      const hidden = relu(linear(w, `${block}.linear_1`, norm(w, `${block}.layer_norm`, stream)));
      stream = sum(stream, linear(w, `${block}.linear_2`, hidden));
    }
    const expected = relu(linear(w, "output", norm(w, "layer_norm", stream)));
    runModule(module, x).forEach((y, i) => expect(y).toBeCloseTo(expected[i] as number, 6));
  });

  it("refuses sizes out of bounds, naming the field", () => {
    const options = { num_inputs: 3, num_outputs: 2, hidden_size: 16, num_blocks: 2 };
    const make = (change: object) => () => new EvolvableSimBa({ ...options, ...change });
    expect(make({ num_blocks: 5 })).toThrow(
      "EvolvableSimBa.num_blocks: found 5, allowed min_blocks (1) to max_blocks (4)",
    );
    expect(make({ hidden_size: 8 })).toThrow(/EvolvableSimBa\.hidden_size: found 8/);
    expect(make({ num_outputs: 0 })).toThrow(/EvolvableSimBa\.num_outputs: found 0/);
  });
});

describe("ResNet", () => {
  const options = {
    input_shape: [1, 3, 4],
    num_outputs: 2,
    channel_size: 2,
    kernel_size: 3,
    stride_size: 1,
    num_blocks: 1,
    scale_factor: 2,
    min_channel_size: 1,
  } as const;

  /** An image as one list of channels per pixel. */
  type Image = readonly (readonly number[])[];
  const [height, width] = [3, 4];

  function convolve(weights: Weights, name: string, image: Image, edge: "zeros" | "replicate"): Image {
    const weight = get(weights, `${name}.weight`);
    const inputs = image[0]?.length ?? 0;
    const outputs = weight.length / (9 * inputs);
    const at = (row: number, column: number, channel: number): number => {
      const inside = row >= 0 && row < height && column >= 0 && column < width;
      if (!inside && edge === "zeros") return 0;
      const [r, c] = [Math.min(Math.max(row, 0), height - 1), Math.min(Math.max(column, 0), width - 1)];
      return image[r * width + c]?.[channel] as number;
    };
    return image.map((_place, p) =>
      Array.from({ length: outputs }, (_, out) => {
        let total = 0;
        for (let i = 0; i < 3; i++)
          for (let j = 0; j < 3; j++)
            for (let channel = 0; channel < inputs; channel++)
              total +=
                at(Math.floor(p / width) + i - 1, (p % width) + j - 1, channel) *
                (weight[((i * 3 + j) * inputs + channel) * outputs + out] as number);
        return total;
      }),
    );
  }

  it("pads its first kernel with zeros and its blocks' with the outermost numbers", () => {
    const module = new EvolvableResNet(options);
    shake(module);
    const w = module.parameters();
    const x = moduleInputs(module.data, 1);
    const stream = convolve(
      w,
      "conv",
      [...x].map((v) => [v]),
      "zeros",
    );
    const hidden = convolve(w, "block_1.conv_1", stream, "replicate").map((place) =>
      relu(norm(w, "block_1.norm_1", place)),
    );
    const added = convolve(w, "block_1.conv_2", hidden, "replicate").map((place) =>
      norm(w, "block_1.norm_2", place),
    );
    const result = stream.map((place, p) => relu(sum(place, added[p] as readonly number[])));
    const expected = linear(w, "output", result.flat());
    runModule(module, x).forEach((y, i) => expect(y).toBeCloseTo(expected[i] as number, 5));
  });

  it("refuses even kernels", () => {
    expect(() => new EvolvableResNet({ ...options, kernel_size: 4 })).toThrow(
      /kernel_size: found 4, allowed odd/,
    );
  });
});
