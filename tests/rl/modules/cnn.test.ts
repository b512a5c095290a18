import { describe, expect, it } from "vitest";
import { EvolvableCNN } from "../../../src/agents/index.ts";
import { Random } from "../../../src/evolution/random.ts";
import { moduleInputs, runModule, shake } from "../support/runModule.ts";

const options = {
  input_shape: [2, 5, 6],
  num_outputs: 3,
  channel_size: [3, 4],
  kernel_size: [2, 3],
  stride_size: [2, 1],
  min_channel_size: 1,
} as const;

describe("convolutions", () => {
  it("compute what is written out by hand, channels last", () => {
    const module = new EvolvableCNN({
      ...options,
      channel_size: [3],
      kernel_size: [2],
      stride_size: [2],
      layer_norm: true,
    });
    shake(module);
    const x = moduleInputs(module.data, 1);
    const get = (name: string) => module.parameters()[name] as Float32Array;
    const flat: number[] = [];
    for (let row = 0; row < 2; row++) {
      for (let column = 0; column < 3; column++) {
        const sums = [0, 1, 2].map((out) => {
          let sum = get("conv_1.bias")[out] as number;
          for (let i = 0; i < 2; i++)
            for (let j = 0; j < 2; j++)
              for (let c = 0; c < 2; c++)
                sum +=
                  (x[((2 * row + i) * 6 + 2 * column + j) * 2 + c] as number) *
                  (get("conv_1.weight")[((i * 2 + j) * 2 + c) * 3 + out] as number);
          return sum;
        });
        const mean = sums.reduce((a, b) => a + b) / 3;
        const variance = sums.reduce((a, b) => a + (b - mean) ** 2, 0) / 3;
        for (const [out, sum] of sums.entries()) {
          const scale = get("layer_norm_1.weight")[out] as number;
          const shift = get("layer_norm_1.bias")[out] as number;
          flat.push(Math.max(((sum - mean) / Math.sqrt(variance + 1e-5)) * scale + shift, 0));
        }
      }
    }
    const expected = [0, 1, 2].map((out) =>
      flat.reduce(
        (sum, v, i) => sum + v * (get("output.weight")[i * 3 + out] as number),
        get("output.bias")[out] as number,
      ),
    );
    runModule(module, x).forEach((y, i) => expect(y).toBeCloseTo(expected[i] as number, 6));
  });

  it("add a layer only where the image is large enough, else channels", () => {
    const small = new EvolvableCNN({ ...options, kernel_size: [2, 2] });
    expect(small.addLayer()).toMatchObject({ method: "add_channel", changed: true });
    const large = new EvolvableCNN({ ...options, input_shape: [1, 40, 40] });
    const { method, kernel_size, stride_size } = large.addLayer();
    expect(method).toBe("add_layer");
    expect(large.data.channel_size).toEqual([3, 4, 4]);
    expect(large.data.kernel_size).toEqual([2, 3, kernel_size]);
    expect(large.data.stride_size).toEqual([2, 1, stride_size]);
    // After the two layers, the image is 18 x 18.
    expect(kernel_size).toBeGreaterThanOrEqual(2);
    expect(kernel_size).toBeLessThanOrEqual(18);
    expect(stride_size).toBeLessThanOrEqual(18 - (kernel_size ?? 0) + 1);
  });

  it("change kernels behind the first layer, to other sizes up to a quarter of the image", () => {
    const seen = new Set<number>();
    for (let random_seed = 0; random_seed < 40; random_seed++) {
      const module = new EvolvableCNN({ ...options, input_shape: [1, 40, 40], random_seed });
      expect(module.changeKernel()).toMatchObject({
        method: "change_kernel",
        hidden_layer: 1,
        changed: true,
      });
      seen.add(module.data.kernel_size[1] as number);
    }
    expect(seen).toEqual(new Set([1, 2, 4]));
  });

  it("refuse a kernel that later layers have no room for, and keep the weights that fit a new one", () => {
    const module = new EvolvableCNN({ ...options, input_shape: [2, 9, 9] });
    expect(module.changeKernel(5, 1)).toMatchObject({ method: "change_kernel", changed: false });
    const before = module.clone().parameters()["conv_2.weight"] as Float32Array;
    expect(module.changeKernel(2, 1)).toMatchObject({ changed: true });
    const after = module.parameters()["conv_2.weight"] as Float32Array;
    const corner = (kernel: number, weights: Float32Array, i: number, j: number) =>
      weights.slice((i * kernel + j) * 12, (i * kernel + j + 1) * 12);
    for (const i of [0, 1])
      for (const j of [0, 1]) expect(corner(2, after, i, j)).toEqual(corner(3, before, i, j));
  });

  it("a smaller kernel whose lost weights are zero keeps the function at the places it had", () => {
    const module = new EvolvableCNN({ ...options, input_shape: [2, 9, 9], stride_size: [1, 1] });
    shake(module);
    const weight = module.parameters()["conv_2.weight"] as Float32Array;
    const random = new Random({ seed: 1 });
    weight.forEach((_w, i) => {
      const place = Math.floor(i / 12);
      weight[i] = Math.floor(place / 3) === 2 || place % 3 === 2 ? 0 : random.normal();
    });
    const x = moduleInputs(module.data, 3);
    const before = runModule(module, x);
    module.changeKernel(2, 1);
    runModule(module, x).forEach((y, i) => expect(y).toBeCloseTo(before[i] as number, 9));
  });

  it("refuse sizes that make no network, naming the field", () => {
    const make = (change: object) => () => new EvolvableCNN({ ...options, ...change });
    expect(make({ kernel_size: [2] })).toThrow(/EvolvableCNN\.kernel_size: found 1 items/);
    expect(make({ kernel_size: [2, 9] })).toThrow(/kernel_size: found 2, 9 .* images of 5 x 6/);
    expect(make({ channel_size: [3, 300] })).toThrow(/channel_size\[1\]: found 300/);
    expect(make({ input_shape: [2, 0, 6] })).toThrow(/input_shape\[1\]: found 0/);
  });
});
