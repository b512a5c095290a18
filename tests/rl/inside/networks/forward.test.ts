import { describe, expect, it } from "vitest";
import { tensorShape, tensorSize } from "../../../../src/evolution/members.ts";
import { Random } from "../../../../src/evolution/random.ts";
import { state } from "../../../../src/kernels/functions.ts";
import { programText, trace } from "../../../../src/kernels/index.ts";
import { forwardEncoder, forwardHead, forwardNetwork } from "../../../../src/rl/networks/forward.ts";
import { networkStates } from "../../../../src/rl/networks/networkTensors.ts";
import {
  bindNetwork,
  describeNetwork,
  initNetwork,
  type MlpData,
  type NetworkData,
  networkTensors,
  qNetwork,
  stochasticActor,
  structureKey,
  valueNetwork,
} from "../../../../src/rl/networks.ts";
import { runNetwork } from "../support/runNetwork.ts";
import { networkSettings, numbers } from "../support/settings.ts";

const observations = (count: number, width: number): Float32Array => {
  const random = new Random({ seed: 5, stream: "observations" });
  return Float32Array.from({ length: count * width }, () => random.normal());
};

/** A network, computed with plain loops. */
function plainNetwork(
  data: NetworkData,
  tensors: Record<string, Float32Array>,
  row: readonly number[],
): number[] {
  const get = (name: string): Float32Array => tensors[name] as Float32Array;
  const linear = (x: readonly number[], name: string): number[] => {
    const bias = get(`${name}.bias`);
    return [...bias].map((b, j) =>
      x.reduce((sum, v, i) => sum + v * (get(`${name}.weight`)[i * bias.length + j] ?? 0), b),
    );
  };
  const norm = (x: readonly number[], name?: string): number[] => {
    const mean = x.reduce((a, b) => a + b, 0) / x.length;
    const variance = x.reduce((a, b) => a + (b - mean) ** 2, 0) / x.length;
    return x.map((v, i) => {
      const y = (v - mean) / Math.sqrt(variance + 1e-5);
      return name ? y * (get(`${name}.weight`)[i] ?? 0) + (get(`${name}.bias`)[i] ?? 0) : y;
    });
  };
  const relu = (x: readonly number[]): number[] => x.map((v) => Math.max(v, 0));
  let x = [...row];
  for (const i of [1, 2]) x = relu(norm(linear(x, `encoder.linear_${i}`), `encoder.layer_norm_${i}`));
  x = relu(norm(linear(x, "encoder.output")));
  x = relu(norm(linear(x, "head_net.linear_1"), "head_net.layer_norm_1"));
  return linear(x, "head_net.output").slice(0, data.head.outputs);
}

describe("networks", () => {
  it("computes encoder, latent vector and head as written out by hand", () => {
    const data = qNetwork(numbers(4), 3, networkSettings());
    const tensors = initNetwork(data, { seed: 1 });
    const random = new Random({ seed: 2 });
    for (const values of Object.values(tensors))
      for (let i = 0; i < values.length; i++) values[i] = (values[i] ?? 0) + 0.1 * random.normal();
    const x = observations(5, 4);
    const y = runNetwork(data, tensors, x, 4);
    for (let row = 0; row < 5; row++) {
      const expected = plainNetwork(data, tensors, [...x.slice(row * 4, row * 4 + 4)]);
      expected.forEach((value, j) => expect(y[row * 3 + j]).toBeCloseTo(value, 10));
    }
  });

  it("names and shapes its tensors as stored: weights [in, out]", () => {
    const data = qNetwork(numbers(4), 3, networkSettings());
    expect(networkTensors(data).map((spec) => [spec.name, tensorShape(spec)])).toEqual([
      ["encoder.linear_1.weight", [4, 20]],
      ["encoder.linear_1.bias", [20]],
      ["encoder.layer_norm_1.weight", [20]],
      ["encoder.layer_norm_1.bias", [20]],
      ["encoder.linear_2.weight", [20, 18]],
      ["encoder.linear_2.bias", [18]],
      ["encoder.layer_norm_2.weight", [18]],
      ["encoder.layer_norm_2.bias", [18]],
      ["encoder.output.weight", [18, 24]],
      ["encoder.output.bias", [24]],
      ["head_net.linear_1.weight", [24, 17]],
      ["head_net.linear_1.bias", [17]],
      ["head_net.layer_norm_1.weight", [17]],
      ["head_net.layer_norm_1.bias", [17]],
      ["head_net.output.weight", [17, 3]],
      ["head_net.output.bias", [3]],
    ]);
  });

  it("traces the same program for other widths, and another for another structure", () => {
    const text = (data: NetworkData) =>
      programText(
        trace("q", () => {
          const x = state("x", [8, 4]).read();
          const params = Object.fromEntries(
            Object.entries(networkStates(data, "actor")).map(([name, s]) => [name, s.read()]),
          );
          state("y", [8, 3]).write(forwardNetwork(data, params, x));
        }),
      );
    const data = qNetwork(numbers(4), 3, networkSettings());
    const head = data.head as MlpData;
    const wider: NetworkData = {
      ...data,
      latent_dim: 40,
      encoder: { ...(data.encoder as MlpData), hidden_size: [36, 18], outputs: 40 },
      head: { ...head, inputs: 40, hidden_size: [81] },
    };
    const deeper: NetworkData = { ...data, head: { ...head, hidden_size: [17, 17] } };
    const tanh: NetworkData = { ...data, head: { ...head, activation: "Tanh" } };
    expect(text(wider)).toBe(text(data));
    expect(structureKey(wider)).toBe(structureKey(data));
    for (const other of [deeper, tanh]) {
      expect(text(other)).not.toBe(text(data));
      expect(structureKey(other)).not.toBe(structureKey(data));
    }
    const tensors = initNetwork(wider, { seed: 3 });
    const x = observations(2, 4);
    expect(runNetwork(data, tensors, x, 4, wider)).toEqual(runNetwork(wider, tensors, x, 4));
  });

  it("lets a target use its online network's widths and a value network the policy's latent vector", () => {
    const settings = networkSettings();
    const actor = stochasticActor(numbers(3), numbers(2), settings, { action_std_init: -0.5 });
    const critic = valueNetwork(numbers(3), settings, { share_encoder: true });
    const program = trace("shared", () => {
      const read = (data: NetworkData, name: string, dims: { dims: string; latent?: string }) =>
        Object.fromEntries(
          Object.entries(networkStates(data, name, dims)).map(([tensor, s]) => [tensor, s.read()]),
        );
      const x = state("x", [6, 3]).read();
      const latent = forwardEncoder(actor, read(actor, "actor", { dims: "actor" }), x);
      const params = read(critic, "critic", { dims: "critic", latent: "actor" });
      state("v", [6, 1]).write(forwardHead(critic, params, latent));
      expect(() => forwardEncoder(critic, params, x)).toThrow(/shares the policy's encoder/);
    });
    expect(program.states.has("critic.encoder.linear_1.weight")).toBe(false);
    expect(bindNetwork(critic, { dims: "critic", latent: "actor" })).toEqual({
      "critic.head_net.h0": 17,
      "actor.latent_dim": 24,
    });
    expect(initNetwork(actor, { seed: 1 }).log_std).toEqual(Float32Array.of(-0.5, -0.5));
  });

  it("draws orthogonal weights of gain sqrt 2, zero biases, and a tenth of it at the output", () => {
    const data = qNetwork(numbers(4), 3, networkSettings());
    const tensors = initNetwork(data, { seed: 9, slot: 2 });
    for (const spec of networkTensors(data)) {
      const values = tensors[spec.name] as Float32Array;
      expect(values.length).toBe(tensorSize(spec));
      expect(values.every((v) => v === 0)).toBe(
        spec.role === "bias" || spec.name.match(/layer_norm_\d.bias/) !== null,
      );
      if (spec.role !== "weight") continue;
      const [rows = 0, columns = 0] = tensorShape(spec);
      const squared = spec.name === "head_net.output.weight" ? 0.02 : 2;
      const at = (i: number, k: number) =>
        (rows < columns ? values[i * columns + k] : values[k * columns + i]) ?? 0;
      for (let i = 0; i < Math.min(rows, columns); i++) {
        for (let j = 0; j <= i; j++) {
          let dot = 0;
          for (let k = 0; k < Math.max(rows, columns); k++) dot += at(i, k) * at(j, k);
          expect(dot).toBeCloseTo(i === j ? squared : 0, 5);
        }
      }
    }
    expect(initNetwork(data, { seed: 9, slot: 2 })).toEqual(tensors);
    expect(initNetwork(data, { seed: 9, slot: 3 })).not.toEqual(tensors);
    expect(initNetwork(data, { seed: 9, slot: 2, stream: "critic" })).not.toEqual(tensors);
  });

  it("draws PyTorch's uniform weights when orthogonal ones are off", () => {
    const data = qNetwork(numbers(16), 2, networkSettings({}, { init_layers: false }));
    const values = initNetwork(data, { seed: 1 })["encoder.linear_1.weight"] as Float32Array;
    expect(Math.max(...values)).toBeLessThanOrEqual(0.25);
    expect(Math.max(...values)).toBeGreaterThan(0.24);
    expect(Math.min(...values)).toBeLessThan(-0.24);
  });

  it("describes its widths", () => {
    expect(describeNetwork(qNetwork(numbers(4), 2, networkSettings()))).toBe("20-18 | 24 | 17");
    expect(describeNetwork(valueNetwork(numbers(4), networkSettings(), { share_encoder: true }))).toBe(
      "shared | 24 | 17",
    );
  });
});
