import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { initialise } from "../../../../src/agents/index.ts";
import { tensorSize } from "../../../../src/evolution/members.ts";
import { Random } from "../../../../src/evolution/random.ts";
import { mlp } from "../../../../src/rl/modules/mlp.ts";
import { EvolvableMLP, type MlpData, mlpData } from "../../../../src/rl/networks.ts";
import { mlpSettings } from "../support/settings.ts";

const data = (hidden_size: number[], change: Partial<MlpData> = {}): MlpData => ({
  ...mlpData(4, 2, mlpSettings(hidden_size), "head"),
  ...change,
});
const random = (slot = 0) => new Random({ seed: 3, slot });
const apply = (name: string, d: MlpData, args = {}, slot = 0) => {
  const method = mlp.methods(d).find((m) => m.name === name);
  if (!method) throw new Error(`no method ${name}`);
  return method.apply(d, random(slot), args);
};
const SLOTS = Array.from({ length: 60 }, (_, i) => i);

describe("MLP mutation methods", () => {
  it("add_layer appends a layer as wide as the last, and at the most layers adds nodes", () => {
    const added = apply("add_layer", data([32, 48]));
    expect(added).toEqual({ data: data([32, 48, 48]), method: "add_layer", args: {} });
    const fallback = apply("add_layer", data([32, 48, 64]));
    expect(fallback.method).toBe("add_node");
    expect(fallback.data.hidden_size).toHaveLength(3);
    expect(fallback.data).not.toEqual(data([32, 48, 64]));
  });

  it("remove_layer drops the last, and at the fewest layers adds nodes", () => {
    expect(apply("remove_layer", data([32, 48]))).toEqual({
      data: data([32]),
      method: "remove_layer",
      args: {},
    });
    const fallback = apply("remove_layer", data([32]));
    expect(fallback.method).toBe("add_node");
    expect(fallback.data.hidden_size[0]).toBeGreaterThan(32);
  });

  it.each([
    ["add_node", 1],
    ["remove_node", -1],
  ] as const)("%s changes one drawn layer by 16, 32 or 64 and reports what it drew", (name, sign) => {
    const seen = new Set<string>();
    for (const slot of SLOTS) {
      const { data: next, method, args } = apply(name, data([128, 160]), {}, slot);
      const { hidden_layer: layer = -1, numb_new_nodes: nodes = 0 } = args;
      expect(method).toBe(name);
      const expected = [128, 160];
      expected[layer] = (expected[layer] as number) + sign * nodes;
      expect(next).toEqual(data(expected));
      seen.add(`${layer}/${nodes}`);
      expect(apply(name, data([128, 160]), args, slot + 1000).data).toEqual(next);
    }
    expect([...seen].sort()).toEqual(["0/16", "0/32", "0/64", "1/16", "1/32", "1/64"]);
  });

  it("allow the upper bound itself but not the lower, and change nothing beyond", () => {
    const bounds = { max_mlp_nodes: 64, min_mlp_nodes: 32 };
    const wide = data([48], bounds);
    expect(apply("add_node", wide, { hidden_layer: 0, numb_new_nodes: 16 }).data.hidden_size).toEqual([64]);
    expect(apply("add_node", wide, { hidden_layer: 0, numb_new_nodes: 32 }).data).toBe(wide);
    expect(apply("remove_node", wide, { hidden_layer: 0, numb_new_nodes: 16 }).data).toBe(wide);
    const wider = data([64], bounds);
    expect(apply("remove_node", wider, { hidden_layer: 0, numb_new_nodes: 16 }).data.hidden_size).toEqual([
      48,
    ]);
  });

  it("bring a layer that the module does not have to its last", () => {
    const result = apply("add_node", data([32]), { hidden_layer: 2, numb_new_nodes: 16 });
    expect(result.data.hidden_size).toEqual([48]);
    expect(result.args.hidden_layer).toBe(0);
  });

  it("keep to the bounds in any order", () => {
    const methods = fc.array(fc.constantFrom(...mlp.methods(data([32])).map((m) => m.name)), {
      maxLength: 25,
    });
    fc.assert(
      fc.property(methods, fc.nat(), (names, seed) => {
        let d = data([64, 64], { max_mlp_nodes: 200 });
        names.forEach((name, i) => {
          d = apply(name, d, {}, (seed % 1e6) + i).data;
          expect(d.hidden_size.length >= 1 && d.hidden_size.length <= 3).toBe(true);
          expect(d.hidden_size.every((width) => width >= 16 && width <= 200)).toBe(true);
        });
      }),
    );
  });
});

describe("encoders and heads", () => {
  it("differ in output normalisation, output activation and initial scale", () => {
    const settings = mlpSettings([32]);
    expect(mlpData(4, 8, settings, "encoder")).toMatchObject({
      output_activation: "ReLU",
      output_layernorm: true,
      output_vanish: false,
    });
    expect(mlpData(4, 8, settings, "head")).toMatchObject({
      output_activation: null,
      output_layernorm: false,
      output_vanish: true,
    });
    expect(mlpData(4, 8, mlpSettings([32], { layer_norm: false }), "encoder").output_layernorm).toBe(false);
  });

  it("have a slope for PReLU, 0.25 at the start", () => {
    const specs = mlp.tensors(data([32], { activation: "PReLU" }), "", {});
    const slope = specs.find((spec) => spec.name === "activation_1.weight");
    expect(slope && [...initialise(slope, { seed: 1 })]).toEqual([0.25]);
  });
});

describe("EvolvableMLP", () => {
  const options = { num_inputs: 4, num_outputs: 2, hidden_size: [64] };

  it("keeps its weights when it changes, and its tensors fit its data", () => {
    const module = new EvolvableMLP(options);
    const before = module.clone().parameters();
    expect(module.addNode(0, 16)).toEqual({
      method: "add_node",
      changed: true,
      hidden_layer: 0,
      numb_new_nodes: 16,
    });
    expect(module.data.hidden_size).toEqual([80]);
    const after = module.parameters();
    for (let input = 0; input < 4; input++) {
      for (let unit = 0; unit < 80; unit++) {
        const is = after["linear_1.weight"]?.[input * 80 + unit];
        const was = unit < 64 ? before["linear_1.weight"]?.[input * 64 + unit] : undefined;
        expect(was === undefined ? is !== 0 : is === was).toBe(true);
      }
    }
    expect(after["output.weight"]?.slice(0, 128)).toEqual(before["output.weight"]);
    expect(after["output.weight"]?.slice(128).every((w) => w === 0)).toBe(true);
    module.addLayer();
    module.removeNode(0, 16);
    module.removeLayer();
    const specs = mlp.tensors(module.data, "", {});
    expect(Object.keys(module.parameters())).toEqual(specs.map((spec) => spec.name));
    for (const spec of specs) expect(module.parameters()[spec.name]).toHaveLength(tensorSize(spec));
  });

  it("reports fallbacks and refusals", () => {
    const module = new EvolvableMLP({ ...options, max_hidden_layers: 1, max_mlp_nodes: 64 });
    expect(module.addLayer()).toMatchObject({ method: "add_node", changed: false });
    expect(module.removeNode(0, 32)).toMatchObject({ method: "remove_node", changed: false });
    expect(module.removeNode(0, 16)).toMatchObject({ method: "remove_node", changed: true });
  });

  it("clones independently, and equal seeds give equal modules and mutations", () => {
    const module = new EvolvableMLP({ ...options, random_seed: 8 });
    const copy = module.clone();
    expect(copy.parameters()).toEqual(module.parameters());
    expect(copy.data).toEqual(module.data);
    (copy.parameters()["output.bias"] as Float32Array)[0] = 5;
    expect(module.parameters()["output.bias"]?.[0]).toBe(0);
    const twin = new EvolvableMLP({ ...options, random_seed: 8 });
    expect(twin.addNode()).toEqual(module.addNode());
    expect(twin.parameters()).toEqual(module.parameters());
    const other = new EvolvableMLP({ ...options, random_seed: 9 });
    expect(other.parameters()["linear_1.weight"]).not.toEqual(copy.parameters()["linear_1.weight"]);
  });

  it("refuses sizes that make no network, naming the field", () => {
    const make = (change: object) => () => new EvolvableMLP({ ...options, ...change });
    expect(make({ num_inputs: 0 })).toThrow(/EvolvableMLP\.num_inputs: found 0/);
    expect(make({ num_outputs: 1.5 })).toThrow(/num_outputs/);
    expect(make({ hidden_size: [] })).toThrow(/hidden_size: found none, allowed one or more/);
    expect(make({ hidden_size: 8 as never })).toThrow(/hidden_size: found 8, allowed a list/);
    expect(make({ hidden_size: [8, 8, 8, 8] })).toThrow(
      /length: found 4, allowed min_hidden_layers \(1\) to/,
    );
    expect(make({ hidden_size: [8, 0] })).toThrow(/hidden_size\[1\]: found 0/);
    expect(make({ min_hidden_layers: 4 })).toThrow(/min_hidden_layers/);
    expect(make({ min_mlp_nodes: 600 })).toThrow(/min_mlp_nodes/);
  });
});
