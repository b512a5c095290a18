import { describe, expect, it } from "vitest";
import { resizeNetwork } from "../../../../src/agents/members.ts";
import { tensorShape } from "../../../../src/evolution/members.ts";
import { Random } from "../../../../src/evolution/random.ts";
import type { Tensor } from "../../../../src/kernels/functions.ts";
import { concat, constant } from "../../../../src/kernels/index.ts";
import {
  applyMethod,
  bindNetwork,
  CnnSpec,
  continuousQNetwork,
  deterministicActor,
  initNetwork,
  jointQNetwork,
  type NetworkData,
  type NetworkState,
  networkMethods,
  networkTensors,
  rainbowNetwork,
  stochasticActor,
} from "../../../../src/rl/networks.ts";
import { Box, Dict, Discrete, MultiBinary, MultiDiscrete } from "../../../../src/rl/spaces.ts";
import { computeNetwork, type Rows, runNetwork } from "../support/runNetwork.ts";
import { mlpSettings, networkSettings, numbers } from "../support/settings.ts";

const rows = (width: number, n = 5, seed = 4): Rows => {
  const random = new Random({ seed });
  return { width, values: Float32Array.from({ length: n * width }, () => random.normal()) };
};

/** A network with all values slightly perturbed, so that none is at its initial value. */
function trained(data: NetworkData): NetworkState {
  const random = new Random({ seed: 12 });
  const tensors = Object.fromEntries(
    Object.entries(initNetwork(data, { seed: 11 })).map(([name, values]) => [
      name,
      values.map((v) => v + 0.2 * random.normal()),
    ]),
  );
  return { data, tensors };
}

const grown = (network: NetworkState, path: string, args = {}): NetworkState =>
  resizeNetwork(network, applyMethod(network.data, path, { seed: 14 }, args).data, { seed: 15 });

const shapesOf = (data: NetworkData) =>
  Object.fromEntries(networkTensors(data).map((spec) => [spec.name, tensorShape(spec)]));

describe("stochastic actors", () => {
  it.each([
    [new Discrete(3), { kind: "categorical", actions: 3 }, 3],
    [new MultiDiscrete([3, 2]), { kind: "multi_categorical", nvec: [3, 2] }, 5],
    [new MultiBinary([2, 2]), { kind: "bernoulli", n: 4 }, 4],
    [numbers(2), { kind: "normal", size: 2, log_std_init: -1, squash_output: false }, 2],
  ] as const)("have the distribution of their actions (%#)", (space, distribution, outputs) => {
    const data = stochasticActor(numbers(4), space, networkSettings(), { action_std_init: -1 });
    expect(data.distribution).toEqual(distribution);
    expect(data.head.outputs).toBe(outputs);
    expect("log_std" in shapesOf(data)).toBe(distribution.kind === "normal");
  });

  it("refuse actions of several parts", () => {
    const space = new Dict({ a: new Discrete(2), b: new Discrete(2) });
    expect(() => stochasticActor(numbers(4), space, networkSettings())).toThrow(/stochasticActor: found/);
  });
});

describe("deterministic actors", () => {
  it("give actions in (-1, 1), from an encoder without layer norm", () => {
    const { data, tensors } = trained(deterministicActor(numbers(4), numbers(2), networkSettings()));
    expect(data.encoder).toMatchObject({ layer_norm: false, output_layernorm: false });
    expect(data.head).toMatchObject({ output_activation: "Tanh", layer_norm: true });
    const large = Object.fromEntries(Object.entries(tensors).map(([n, v]) => [n, v.map((w) => 9 * w)]));
    const actions = runNetwork(data, large, rows(4, 50).values, 4);
    expect(Math.max(...actions.map(Math.abs))).toBeLessThanOrEqual(1);
    expect(Math.max(...actions)).toBeGreaterThan(0.9);
  });

  it("take another bounded activation and refuse one without bounds", () => {
    const make = (output_activation: "Sigmoid" | "ReLU") =>
      deterministicActor(
        numbers(4),
        numbers(2),
        networkSettings({ head_config: mlpSettings([16], { output_activation }) }),
      );
    expect(make("Sigmoid").head).toMatchObject({ output_activation: "Sigmoid" });
    expect(() => make("ReLU")).toThrow(/network.head_config.output_activation: found "ReLU"/);
  });
});

describe("continuous Q networks", () => {
  const settings = networkSettings({}, { layer_norm: false });
  const data = continuousQNetwork(numbers(4), 2, settings);
  const value = ({ data: d, tensors }: NetworkState, action: Rows) =>
    computeNetwork(d, tensors, [rows(4), action], (network, [x, a]) =>
      network.value(x as Tensor, a as Tensor),
    );

  it("read the latent vector with the action behind it", () => {
    expect(shapesOf(data)["head_net.linear_1.weight"]).toEqual([26, 17]);
    const network = trained(data);
    const values = value(network, rows(2));
    expect(values).toHaveLength(5);
    expect(value(network, rows(2, 5, 9))).not.toEqual(values);
  });

  it("keep the action's weights, and their function, when the latent vector grows and shrinks", () => {
    const network = trained(data);
    const before = value(network, rows(2));
    const wider = grown(network, "add_latent_node", { numb_new_nodes: 16 });
    expect(wider.data.head.inputs).toBe(42);
    value(wider, rows(2)).forEach((v, i) => expect(v).toBeCloseTo(before[i] as number, 5));
    const narrower = grown(wider, "remove_latent_node", { numb_new_nodes: 16 });
    expect(narrower.tensors).toEqual(network.tensors);
  });

  it("have no output activation, which is the actor's", () => {
    const head_config = mlpSettings([16], { output_activation: "Tanh" });
    expect(continuousQNetwork(numbers(4), 2, networkSettings({ head_config })).head).toMatchObject({
      output_activation: null,
    });
    expect(continuousQNetwork(numbers(4), 2, settings, { share_encoder: true }).encoder).toBe("shared");
  });
});

describe("joint Q networks", () => {
  const settings = networkSettings({}, { layer_norm: false });
  const image = new Box({ low: 0, high: 255, shape: [6, 6, 1], dtype: "uint8" });

  it("read observations and actions side by side from the first layer", () => {
    const data = jointQNetwork(numbers(4), 2, settings);
    const network = trained(data);
    const value = (action: Rows) =>
      computeNetwork(network.data, network.tensors, [rows(4), action], (read, [x, a]) =>
        read.value(x as Tensor, a as Tensor),
      );
    const together = computeNetwork(network.data, network.tensors, [rows(4), rows(2)], (read, [x, a]) =>
      read.forward(concat([x as Tensor, a as Tensor])),
    );
    expect(shapesOf(data)["encoder.linear_1.weight"]?.[0]).toBe(6);
    expect(value(rows(2))).toEqual(together);
    expect(value(rows(2, 5, 9))).not.toEqual(together);
  });

  it("have no output activation and no normalisation in the encoder", () => {
    const head_config = mlpSettings([16], { output_activation: "Tanh" });
    const { head, encoder } = jointQNetwork(numbers(4), 2, networkSettings({ head_config }));
    expect(head).toMatchObject({ output_activation: null });
    expect(encoder).toMatchObject({ layer_norm: false, inputs: 6 });
  });

  it("read actions behind the latent vector where the encoder reads images", () => {
    const cnn = { arch: "cnn", channel_size: [8], kernel_size: [2], stride_size: [1] };
    const data = jointQNetwork(image, 2, networkSettings({ encoder_config: CnnSpec.parse(cnn) }));
    expect(data.kind).toBe("continuous_q");
  });
});

describe("Rainbow networks", () => {
  const options = { num_atoms: 5, noise_std: 0.5 };
  const data = rainbowNetwork(numbers(4), 3, networkSettings(), options);
  const observation = rows(4);

  /** One stream of the head, computed with plain loops. */
  function stream(name: string, tensors: Record<string, Float32Array>, latent: readonly number[]): number[] {
    const get = (key: string) => tensors[`head_net.${name}.${key}`] as Float32Array;
    const layer = (x: readonly number[], key: string) => {
      const bias = [...get(`${key}.bias`)];
      return bias.map((b, j) =>
        x.reduce((sum, v, i) => sum + v * (get(`${key}.weight`)[i * bias.length + j] as number), b),
      );
    };
    const hidden = layer(latent, "linear_1");
    const mean = hidden.reduce((a, b) => a + b) / hidden.length;
    const variance = hidden.reduce((a, b) => a + (b - mean) ** 2, 0) / hidden.length;
    const normed = hidden.map(
      (v, i) =>
        ((v - mean) / Math.sqrt(variance + 1e-5)) * (get("layer_norm_1.weight")[i] as number) +
        (get("layer_norm_1.bias")[i] as number),
    );
    return layer(
      normed.map((v) => Math.max(v, 0)),
      "output",
    );
  }

  it("give V + A - mean of A over the actions, atom by atom", () => {
    const { tensors } = trained(data);
    const latent = computeNetwork(data, tensors, [observation], (network, [x]) =>
      network.encode(x as Tensor),
    );
    const logits = runNetwork(data, tensors, observation.values, 4);
    for (let row = 0; row < 5; row++) {
      const own = [...latent.slice(row * 24, (row + 1) * 24)];
      const [v, a] = [stream("value", tensors, own), stream("advantage", tensors, own)];
      for (let action = 0; action < 3; action++) {
        for (let atom = 0; atom < 5; atom++) {
          const mean = [0, 1, 2].reduce((sum, i) => sum + (a[i * 5 + atom] as number), 0) / 3;
          const expected = (v[atom] as number) + (a[action * 5 + atom] as number) - mean;
          expect(logits[row * 15 + action * 5 + atom]).toBeCloseTo(expected, 9);
        }
      }
    }
  });

  it("add sigma f(e_in) f(e_out) to the head's weights when noise is drawn, and leave the encoder alone", () => {
    const { tensors } = trained(data);
    const drawn: string[] = [];
    const noisy = computeNetwork(data, tensors, [observation], (network, [x]) =>
      network
        .withNoise((layer, side, size) => {
          drawn.push(`${layer} ${side}`);
          return constant(side === "in" ? -4 : 2.25, "f32", [size]);
        })
        .forward(x as Tensor),
    );
    expect(drawn).toEqual(
      ["value.linear_1", "value.output", "advantage.linear_1", "advantage.output"].flatMap((layer) => [
        `head_net.${layer} in`,
        `head_net.${layer} out`,
      ]),
    );
    const shifted = Object.fromEntries(
      Object.entries(tensors).map(([name, values]) => {
        const sigma = tensors[`${name}_sigma`];
        const noise = name.endsWith("bias") ? 1.5 : -3;
        return [name, sigma ? values.map((v, i) => v + noise * (sigma[i] as number)) : values];
      }),
    );
    const expected = runNetwork(data, shifted, observation.values, 4);
    noisy.forEach((v, i) => expect(v).toBeCloseTo(expected[i] as number, 4));
    expect(runNetwork(data, tensors, observation.values, 4)).not.toEqual(noisy);
  });

  it("start with noise_std / sqrt(in) on weights, / sqrt(out) on biases, a tenth at the outputs", () => {
    const tensors = initNetwork(data, { seed: 3 });
    const first = (name: string) => tensors[`head_net.advantage.${name}`]?.[0];
    expect(first("linear_1.weight_sigma")).toBeCloseTo(0.5 / Math.sqrt(24), 6);
    expect(first("linear_1.bias_sigma")).toBeCloseTo(0.5 / Math.sqrt(17), 6);
    expect(first("output.weight_sigma")).toBeCloseTo(0.05 / Math.sqrt(17), 6);
    expect(first("output.bias_sigma")).toBeCloseTo(0.05 / Math.sqrt(15), 6);
    const mu = tensors["head_net.advantage.linear_1.weight"] as Float32Array;
    expect(Math.max(...mu.map(Math.abs))).toBeLessThanOrEqual(1 / Math.sqrt(24));
    expect(Object.keys(tensors).filter((name) => name.includes("encoder") && name.includes("sigma"))).toEqual(
      [],
    );
  });

  it("change both streams alike, under the head's method names", () => {
    expect(networkMethods(data).map(({ path }) => path)).toContain("head_net.add_layer");
    const deeper = grown(trained(data), "head_net.add_layer");
    const wider = grown(deeper, "head_net.add_node", { hidden_layer: 1, numb_new_nodes: 16 });
    const shapes = shapesOf(wider.data);
    for (const name of ["value", "advantage"]) {
      expect(shapes[`head_net.${name}.linear_2.weight`]).toEqual([17, 33]);
      expect(shapes[`head_net.${name}.linear_2.weight_sigma`]).toEqual([17, 33]);
    }
    expect(bindNetwork(wider.data, "net")["net.head_net.h1"]).toBe(33);
    expect(runNetwork(wider.data, wider.tensors, observation.values, 4)).toHaveLength(75);
  });
});
