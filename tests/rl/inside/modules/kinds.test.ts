/** Properties of modules of every kind. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { definitionOf } from "../../../../src/agents/index.ts";
import { tensorSize } from "../../../../src/evolution/members.ts";
import { programText } from "../../../../src/kernels/index.ts";
import { fits, flattenedSize } from "../../../../src/rl/modules/convolutions.ts";
import type { Convolutions, EvolvableModule, ModuleData } from "../../../../src/rl/networks.ts";
import { moduleInputs, moduleProgram, runModule, shake, tensorsOf } from "../../support/runModule.ts";
import { KINDS, type ModuleKind, moduleOf } from "../support/moduleKinds.ts";

const mutateAtRandom = (module: EvolvableModule, picks: readonly number[]) =>
  picks.map((pick) => {
    const methods = module.mutation_methods;
    return module.mutate(methods[pick % methods.length] as string);
  });

const picks = fc.array(fc.nat(1000), { maxLength: 8 });
const seeds = fc.nat(1000);

const within = (value: number, min: number, max: number) => value >= min && value <= max;

const convolutionsWithinBounds = (data: Convolutions): boolean =>
  within(data.channel_size.length, data.min_hidden_layers, data.max_hidden_layers) &&
  data.kernel_size.length === data.channel_size.length &&
  data.stride_size.length === data.channel_size.length &&
  data.channel_size.every((width) => within(width, data.min_channel_size, data.max_channel_size)) &&
  fits(data);

/** Whether every size is within the bounds of the module's kind. */
function withinBounds(data: ModuleData): boolean {
  switch (data.kind) {
    case "mlp":
    case "dueling":
      return (
        within(data.hidden_size.length, data.min_hidden_layers, data.max_hidden_layers) &&
        data.hidden_size.every((width) => within(width, data.min_mlp_nodes, data.max_mlp_nodes))
      );
    case "simba":
      return (
        within(data.num_blocks, data.min_blocks, data.max_blocks) &&
        within(data.hidden_size, data.min_mlp_nodes, data.max_mlp_nodes)
      );
    case "lstm":
      return (
        within(data.num_layers, data.min_layers, data.max_layers) &&
        within(data.hidden_state_size, data.min_hidden_state_size, data.max_hidden_state_size)
      );
    case "cnn":
      return convolutionsWithinBounds(data);
    case "cnn_lstm":
      return (
        convolutionsWithinBounds(data.cnn) &&
        withinBounds(data.lstm) &&
        data.lstm.inputs === flattenedSize(data.cnn) &&
        data.lstm.outputs === data.outputs
      );
    case "resnet":
      return (
        within(data.num_blocks, data.min_blocks, data.max_blocks) &&
        within(data.channel_size, data.min_channel_size, data.max_channel_size)
      );
    case "multiinput":
      return (
        within(data.latent_dim, data.min_latent_dim, data.max_latent_dim) &&
        data.parts.every(
          ({ cnn }) => cnn === null || (cnn.outputs === data.latent_dim && withinBounds(cnn)),
        ) &&
        (data.vector_mlp === null ||
          (data.vector_mlp.outputs === data.latent_dim && withinBounds(data.vector_mlp)))
      );
  }
}

describe.each(KINDS)("%s", (kind) => {
  it("keeps to its bounds, and runs, after any mutations", () => {
    fc.assert(
      fc.property(picks, seeds, (order, seed) => {
        const module = moduleOf(kind, seed);
        mutateAtRandom(module, order);
        const { data } = module;
        expect(withinBounds(data)).toBe(true);
        const specs = tensorsOf(data);
        expect(Object.keys(module.parameters())).toEqual(specs.map(({ name }) => name));
        for (const spec of specs) expect(module.parameters()[spec.name]).toHaveLength(tensorSize(spec));
        const y = runModule(module, moduleInputs(data, 2));
        expect(y).toHaveLength(2 * data.outputs);
        expect([...y].every(Number.isFinite)).toBe(true);
      }),
      { numRuns: 25 },
    );
  });

  it("is the same program wherever its structure key is, whatever the widths", () => {
    const programs = new Map<string, string>();
    fc.assert(
      fc.property(picks, seeds, (order, seed) => {
        const module = moduleOf(kind, seed);
        mutateAtRandom(module, order);
        const key = definitionOf(module.data).structureKey(module.data);
        const text = programText(moduleProgram(module.data, 2));
        expect(programs.get(key) ?? text).toBe(text);
        programs.set(key, text);
      }),
      { numRuns: 40 },
    );
    expect(new Set(programs.values()).size).toBe(programs.size);
  });

  it("clones to the bit, and the clone goes its own way", () => {
    fc.assert(
      fc.property(picks, seeds, (order, seed) => {
        const module = moduleOf(kind, seed);
        mutateAtRandom(module, order);
        const copy = module.clone();
        expect(copy.data).toEqual(module.data);
        expect(copy.parameters()).toEqual(module.parameters());
        const before = module.clone().parameters();
        shake(copy);
        expect(module.parameters()).toEqual(before);
      }),
      { numRuns: 10 },
    );
  });

  it("repeats a change from the method and the arguments that were reported", () => {
    fc.assert(
      fc.property(picks, seeds, (order, seed) => {
        const [module, twin] = [moduleOf(kind, seed), moduleOf(kind, seed + 1)];
        for (const pick of order) {
          const methods = module.mutation_methods;
          const {
            method,
            changed: _changed,
            ...args
          } = module.mutate(methods[pick % methods.length] as string);
          twin.mutate(method, args);
        }
        expect(twin.data).toEqual(module.data);
      }),
      { numRuns: 25 },
    );
  });

  it("refuses a method that it does not have, naming those it has", () => {
    const module = moduleOf(kind);
    expect(() => module.mutate("add_wings")).toThrow(
      `mutation method: found "add_wings", allowed ${module.mutation_methods.join(", ")}`,
    );
  });
});

/** Outputs before and after a change, on the same inputs. */
function outputs(module: EvolvableModule, change: () => unknown) {
  const x = moduleInputs(module.data, 4);
  const before = runModule(module, x);
  change();
  return { before, after: runModule(module, x) };
}

describe("changes that keep the function", () => {
  const growing: readonly (readonly [ModuleKind, string, object])[] = [
    ["lstm", "add_node", { numb_new_nodes: 16 }],
    ["simba", "add_block", {}],
    ["resnet", "add_block", {}],
    ["cnn", "add_channel", { hidden_layer: 0, numb_new_channels: 8 }],
    ["cnn", "add_channel", { hidden_layer: 1, numb_new_channels: 16 }],
    ["multiinput", "feature_net.the image.add_channel", { numb_new_channels: 8 }],
  ];

  it.each(growing)("%s.%s", (kind, method, args) => {
    const module = moduleOf(kind);
    shake(module);
    const { before, after } = outputs(module, () => {
      expect(module.mutate(method, args)).toMatchObject({ method, changed: true });
    });
    after.forEach((y, i) => expect(y).toBeCloseTo(before[i] as number, 9));
  });

  const undone: readonly (readonly [ModuleKind, string, string, object])[] = [
    ["mlp", "add_node", "remove_node", { hidden_layer: 0, numb_new_nodes: 16 }],
    ["simba", "add_node", "remove_node", { numb_new_nodes: 16 }],
    ["simba", "add_block", "remove_block", {}],
    ["lstm", "add_node", "remove_node", { numb_new_nodes: 16 }],
    ["lstm", "add_layer", "remove_layer", {}],
    ["cnn", "add_channel", "remove_channel", { hidden_layer: 1, numb_new_channels: 8 }],
    ["resnet", "add_channel", "remove_channel", { numb_new_channels: 8 }],
    ["multiinput", "add_latent_node", "remove_latent_node", { numb_new_nodes: 8 }],
  ];

  it.each(undone)("%s: %s then %s gives every weight that stays back", (kind, there, back, args) => {
    const module = moduleOf(kind);
    shake(module);
    const before = module.clone();
    expect(module.mutate(there, args)).toMatchObject({ method: there, changed: true });
    expect(module.mutate(back, args)).toMatchObject({ method: back, changed: true });
    expect(module.data).toEqual(before.data);
    expect(module.parameters()).toEqual(before.parameters());
  });

  it("cnn: a layer more and less loses the places that its kernel left out, and nothing else", () => {
    const module = moduleOf("cnn");
    shake(module);
    const before = module.clone().parameters();
    expect(module.mutate("add_layer", { kernel_size: 3, stride_size: 1 })).toMatchObject({ changed: true });
    expect(module.mutate("remove_layer")).toMatchObject({ changed: true });
    const after = module.parameters();
    // The image is 12 x 13 after two kernels of size 2, and was 10 x 11 after the third, of size 3.
    const [width, channels, outputs] = [13, 6, 3];
    const { "output.weight": head, ...others } = before;
    for (const [name, values] of Object.entries(others)) expect(after[name]).toEqual(values);
    after["output.weight"]?.forEach((w, i) => {
      const place = Math.floor(i / (channels * outputs));
      const kept = Math.floor(place / width) < 10 && place % width < 11;
      expect(w).toBe(kept ? head?.[i] : 0);
    });
  });
});
