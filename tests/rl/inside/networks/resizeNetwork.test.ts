import { describe, expect, it } from "vitest";
import { type OptimizerState, resizeNetwork, resizeOptimizer } from "../../../../src/agents/members.ts";
import { type TensorSpec, tensorShape, tensorSize } from "../../../../src/evolution/members.ts";
import { Random } from "../../../../src/evolution/random.ts";
import type { MlpSettings } from "../../../../src/manifests/index.ts";
import {
  applyMethod,
  drawMethod,
  EvolvableMLP,
  initNetwork,
  moduleNetwork,
  type NetworkState,
  networkMethods,
  networkTensors,
  qNetwork,
  type Tensors,
} from "../../../../src/rl/networks.ts";
import { runNetwork } from "../support/runNetwork.ts";
import { networkSettings, numbers } from "../support/settings.ts";

const settings = (mlp: Partial<MlpSettings>) => networkSettings({}, { min_mlp_nodes: 8, ...mlp });

/** A network as after some training: biases, norms and slopes are not at their initial values. */
function trained(mlp: Partial<MlpSettings>): NetworkState {
  const data = qNetwork(numbers(4), 3, settings(mlp));
  const tensors = initNetwork(data, { seed: 11 });
  const random = new Random({ seed: 12 });
  for (const values of Object.values(tensors))
    for (let i = 0; i < values.length; i++) values[i] = (values[i] ?? 0) + 0.2 * random.normal();
  return { data, tensors };
}

const observations = (): Float32Array => {
  const random = new Random({ seed: 13 });
  return Float32Array.from({ length: 40 }, () => 2 * random.normal());
};

const difference = (a: NetworkState, b: NetworkState): number => {
  const x = observations();
  const [ya, yb] = [runNetwork(a.data, a.tensors, x, 4), runNetwork(b.data, b.tensors, x, 4)];
  return Math.max(...[...ya].map((v, i) => Math.abs(v - (yb[i] ?? Number.NaN))));
};

const change = (network: NetworkState, path: string, args = {}): NetworkState => {
  const { data } = applyMethod(network.data, path, { seed: 14 }, args);
  expect(data).not.toBe(network.data);
  return resizeNetwork(network, data, { seed: 15 });
};

const ACTIVATIONS = ["ReLU", "GELU", "ELU", "Tanh", "PReLU", "Identity"] as const;
const WIDENING = [
  ["encoder.add_node", { hidden_layer: 0, numb_new_nodes: 16 }],
  ["encoder.add_node", { hidden_layer: 1, numb_new_nodes: 32 }],
  ["add_latent_node", { numb_new_nodes: 16 }],
  ["head_net.add_node", { hidden_layer: 0, numb_new_nodes: 64 }],
] as const;

describe("weights under mutation", () => {
  it.each(ACTIVATIONS)("widening without layer norm computes the same function (%s)", (activation) => {
    for (const [path, args] of WIDENING) {
      const before = trained({ layer_norm: false, activation });
      const after = change(before, path, args);
      expect(difference(before, after)).toBeLessThan(1e-5);
    }
  });

  it.each(["ReLU", "Identity"] as const)(
    "an added layer without layer norm is no change (%s)",
    (activation) => {
      const before = trained({ layer_norm: false, activation });
      const after = change(before, "head_net.add_layer");
      expect(Object.keys(after.tensors)).toContain("head_net.linear_2.weight");
      expect(difference(before, after)).toBeLessThan(1e-5);
    },
  );

  it("lets new units learn: what goes into them is not zero", () => {
    const after = change(trained({ layer_norm: false }), "head_net.add_node", {
      hidden_layer: 0,
      numb_new_nodes: 16,
    });
    const weight = after.tensors["head_net.linear_1.weight"] as Float32Array;
    for (let unit = 17; unit < 33; unit++) {
      let size = 0;
      for (let i = 0; i < 24; i++) size += (weight[i * 33 + unit] ?? 0) ** 2;
      expect(size).toBeGreaterThan(0.1);
    }
  });

  /** Values of `large` at the positions of the smaller tensor `inner`. */
  const overlap = (large: Float32Array, spec: TensorSpec, inner: TensorSpec): number[] => {
    const [, columns = 1] = tensorShape(spec);
    const [rows = 1, innerColumns = 1] = tensorShape(inner);
    const width = tensorShape(spec).length === 1 ? 1 : columns;
    const innerWidth = tensorShape(spec).length === 1 ? 1 : innerColumns;
    return Array.from(
      { length: rows * innerWidth },
      (_, i) => large[Math.floor(i / innerWidth) * width + (i % innerWidth)] ?? Number.NaN,
    );
  };

  it.each([true, false])(
    "every method keeps the block that both shapes have, norms included (layer norm %s)",
    (layer_norm) => {
      for (const { path } of networkMethods(trained({ layer_norm }).data)) {
        const start = change(trained({ layer_norm }), "head_net.add_layer");
        const wide = change(
          change(start, "encoder.add_node", { hidden_layer: 1, numb_new_nodes: 64 }),
          "head_net.add_node",
          {
            hidden_layer: 1,
            numb_new_nodes: 64,
          },
        );
        const before = change(
          change(wide, "encoder.add_node", { hidden_layer: 0, numb_new_nodes: 64 }),
          "head_net.add_node",
          {
            hidden_layer: 0,
            numb_new_nodes: 64,
          },
        );
        const after = change(
          before,
          path,
          path.includes("latent") ? { numb_new_nodes: 8 } : { numb_new_nodes: 16 },
        );
        const old = new Map(networkTensors(before.data).map((spec) => [spec.name, spec]));
        let kept = 0;
        for (const spec of networkTensors(after.data)) {
          const previous = old.get(spec.name);
          const values = after.tensors[spec.name] as Float32Array;
          expect(values).toHaveLength(tensorSize(spec));
          if (!previous) continue;
          kept++;
          const source = before.tensors[spec.name] as Float32Array;
          const [small, large] =
            tensorSize(spec) < tensorSize(previous) ? [spec, previous] : [previous, spec];
          const [inSmall, inLarge] = small === spec ? [values, source] : [source, values];
          expect(overlap(inLarge, large, small)).toEqual([...inSmall]);
        }
        expect(kept).toBeGreaterThanOrEqual(Math.min(old.size, networkTensors(after.data).length));
      }
    },
  );

  it("shares no array with the network it came from", () => {
    const before = trained({});
    const after = change(before, "head_net.add_node", { hidden_layer: 0, numb_new_nodes: 16 });
    for (const [name, values] of Object.entries(after.tensors)) expect(values).not.toBe(before.tensors[name]);
  });

  it("draws new weights from the key alone", () => {
    const before = trained({});
    const { data } = applyMethod(before.data, "head_net.add_node", { seed: 1 });
    const grown = (slot: number) => resizeNetwork(before, data, { seed: 2, slot }).tensors;
    expect(grown(1)).toEqual(grown(1));
    expect(grown(1)).not.toEqual(grown(2));
  });
});

describe("moments under mutation", () => {
  it("travel with their weights; new weights have first moments of zero and the second moments of their tensor on average", () => {
    const { data, tensors } = trained({});
    const marks = (sign: number): Tensors =>
      Object.fromEntries(
        Object.entries(tensors).map(([name, w]) => [`actor.${name}`, w.map((_, i) => sign * (i + 1))]),
      );
    const critic = { "critic.output.bias": Float32Array.of(3) };
    const optimizer: OptimizerState = {
      networks: ["actor", "critic"],
      lr: "lr",
      step: 70,
      first: { ...marks(-1), ...critic },
      second: { ...marks(1), ...critic },
    };
    const wider = applyMethod(data, "add_latent_node", { seed: 1 }, { numb_new_nodes: 8 }).data;
    const after = resizeOptimizer(optimizer, "actor", data, wider);
    expect(after).toMatchObject({ networks: ["actor", "critic"], lr: "lr", step: 70 });
    expect(after.first["critic.output.bias"]).toEqual(Float32Array.of(3));
    for (const spec of networkTensors(wider))
      expect(after.second[`actor.${spec.name}`]).toHaveLength(tensorSize(spec));
    const weight = after.second["actor.encoder.output.weight"] as Float32Array;
    const negative = after.first["actor.encoder.output.weight"] as Float32Array;
    const mean = (18 * 24 + 1) / 2;
    for (let unit = 0; unit < 18; unit++) {
      for (let latent = 0; latent < 32; latent++) {
        const old = latent < 24 ? unit * 24 + latent + 1 : null;
        expect(weight[unit * 32 + latent]).toBe(old ?? mean);
        expect(negative[unit * 32 + latent]).toBe(old === null ? 0 : -old);
      }
    }
    expect(resizeOptimizer(optimizer, "other", data, wider)).toBe(optimizer);
  });

  it("of a layer that joins are zero and the optimiser's mean", () => {
    const { data, tensors } = trained({});
    const all = (value: number): Tensors =>
      Object.fromEntries(Object.entries(tensors).map(([name, w]) => [`actor.${name}`, w.map(() => value)]));
    const optimizer = { networks: ["actor"], lr: "lr", step: 70, first: all(2), second: all(0.25) };
    const deeper = applyMethod(data, "head_net.add_layer", { seed: 1 }).data;
    const { first, second } = resizeOptimizer(optimizer, "actor", data, deeper);
    const name = "actor.head_net.linear_2.weight";
    expect(optimizer.second[name]).toBeUndefined();
    expect(new Set(first[name])).toEqual(new Set([0]));
    expect(new Set(second[name])).toEqual(new Set([0.25]));
  });
});

describe("network methods", () => {
  it("are those of encoder nodes, latent nodes, head layers and head nodes", () => {
    expect(networkMethods(trained({}).data)).toEqual([
      { path: "encoder.add_node", type: "node" },
      { path: "encoder.remove_node", type: "node" },
      { path: "add_latent_node", type: "node" },
      { path: "remove_latent_node", type: "node" },
      { path: "head_net.add_layer", type: "layer" },
      { path: "head_net.remove_layer", type: "layer" },
      { path: "head_net.add_node", type: "node" },
      { path: "head_net.remove_node", type: "node" },
    ]);
    expect(() => applyMethod(trained({}).data, "encoder.add_layer", { seed: 1 })).toThrow(
      /found "encoder.add_layer", allowed for this network: encoder.add_node, /,
    );
  });

  it("are drawn with new_layer_prob for layers in all, the rest for nodes", () => {
    const { data } = trained({});
    const random = new Random({ seed: 6 });
    const counts: Record<string, number> = {};
    for (let i = 0; i < 6000; i++) {
      const path = drawMethod(data, 0.2, random) as string;
      counts[path] = (counts[path] ?? 0) + 1;
    }
    for (const { path, type } of networkMethods(data)) {
      const expected = type === "layer" ? 0.1 : 0.8 / 6;
      expect(Math.abs((counts[path] ?? 0) / 6000 - expected)).toBeLessThan(0.02);
    }
    expect(drawMethod(data, 1, random)).toMatch(/layer/);
    expect(drawMethod(data, 0, random)).toMatch(/node/);
  });

  it("change the latent width by 8, 16 or 32 in encoder and head, strictly inside its bounds", () => {
    const { data } = trained({});
    const widths = new Set<number>();
    for (let seed = 0; seed < 40; seed++) {
      const next = applyMethod(data, "add_latent_node", { seed }).data;
      widths.add(next.latent_dim);
      expect(next).toEqual({
        ...data,
        latent_dim: next.latent_dim,
        encoder: { ...(data.encoder as object), outputs: next.latent_dim },
        head: { ...data.head, inputs: next.latent_dim },
      });
    }
    expect(widths).toEqual(new Set([32, 40, 56]));
    const tight = { ...data, max_latent_dim: 40, min_latent_dim: 16 };
    const latent = (path: string, numb_new_nodes: number) =>
      applyMethod(tight, path, { seed: 1 }, { numb_new_nodes }).data;
    expect(latent("add_latent_node", 16)).toBe(tight);
    expect(latent("remove_latent_node", 8)).toBe(tight);
    expect(latent("add_latent_node", 8).latent_dim).toBe(32);
  });
});

describe("a caller's own module as a network", () => {
  const module = new EvolvableMLP({ num_inputs: 4, num_outputs: 3, hidden_size: [64], random_seed: 3 });

  it("computes what the module computes and changes as the module may", () => {
    const network = moduleNetwork(module, { kind: "q", inputs: 4, outputs: 3 });
    expect(Object.keys(network.tensors)).toEqual(networkTensors(network.data).map((spec) => spec.name));
    expect(network.tensors["head_net.linear_1.weight"]).toEqual(module.parameters()["linear_1.weight"]);
    expect(networkMethods(network.data).map((m) => m.path)).toEqual([
      "head_net.add_layer",
      "head_net.remove_layer",
      "head_net.add_node",
      "head_net.remove_node",
    ]);
    const grown = change(network, "head_net.add_node", { hidden_layer: 0, numb_new_nodes: 16 });
    expect(runNetwork(grown.data, grown.tensors, observations(), 4)).toHaveLength(30);
    expect(Number.isFinite(difference(network, grown))).toBe(true);
  });

  it("is refused where its sizes do not fit", () => {
    expect(() => moduleNetwork(module, { kind: "q", inputs: 5, outputs: 3 })).toThrow(
      /found 4 inputs, allowed 5/,
    );
    expect(() => moduleNetwork(module, { kind: "value", inputs: 4, outputs: 1 })).toThrow(/found 3 outputs/);
  });
});
