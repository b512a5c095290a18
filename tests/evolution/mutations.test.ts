import { describe, expect, it } from "vitest";
import {
  lineageEvents,
  Mutations,
  type MutationsOptions,
  RLParameter,
  recordHyperparameters,
} from "../../src/evolution/index.ts";
import { HyperparameterConfig } from "../../src/evolution/members.ts";
import { MutationSpec } from "../../src/specs/sections.ts";
import { Member } from "./support.ts";

const hp_config = new HyperparameterConfig({ lr: new RLParameter({ min: 1e-5, max: 1 }) });
const members = (count: number, config: HyperparameterConfig | null = hp_config): Member[] =>
  Array.from({ length: count }, (_, i) => new Member(i, [i], { hp_config: config }));
const mutations = (options: Partial<MutationsOptions>) =>
  new Mutations({
    no_mutation: 0,
    architecture: 0,
    new_layer_prob: 0.2,
    parameters: 0,
    activation: 0,
    rl_hp: 0,
    ...options,
  });
const labels = (operator: Mutations, count: number, options = {}) =>
  operator.mutation(members(count), options).map((m) => m.mut);

describe("Mutations", () => {
  it("draws one category for each member, in proportion to relative weights", () => {
    const all = labels(
      mutations({ no_mutation: 4, architecture: 2, parameters: 2, activation: 1, rl_hp: 1 }),
      4000,
    );
    const share = (label: string) => all.filter((l) => l === label).length / all.length;
    expect(Math.abs(share("None") - 0.4)).toBeLessThan(0.03);
    expect(Math.abs(share("head_net.add_node") - 0.2)).toBeLessThan(0.03);
    expect(Math.abs(share("param") - 0.2)).toBeLessThan(0.03);
    expect(Math.abs(share("act") - 0.1)).toBeLessThan(0.03);
    expect(Math.abs(share("lr") - 0.1)).toBeLessThan(0.03);
  });

  it("changes every member before training, whatever the weight of no mutation", () => {
    const operator = mutations({ no_mutation: 1e6, parameters: 1, rl_hp: 1 });
    expect(new Set(labels(operator, 50, { preTraining: true }))).toEqual(new Set(["param", "lr"]));
  });

  it("changes nothing when all weights are zero", () => {
    const population = members(5);
    mutations({}).mutation(population, { preTraining: true });
    expect(population.every((m) => m.mut === "None" && m.asked.length === 0)).toBe(true);
  });

  it("spares the elite slot only when told, and the listed slots are the only ones that change", () => {
    expect(labels(mutations({ parameters: 1 }), 3)).toEqual(["param", "param", "param"]);
    expect(labels(mutations({ parameters: 1, mutate_elite: false }), 3)).toEqual(["None", "param", "param"]);
    const listed = mutations({ parameters: 1, mutate_elite: false }).mutation(members(4), {
      indices: [0, 2, 9],
    });
    expect(listed.map((m) => m.mut)).toEqual(["param", "None", "param", "None"]);
    expect(listed.map((m) => m.asked.length)).toEqual([1, 0, 1, 0]);
    // A label that is left over from before says nothing of this generation.
    const [left] = members(1);
    if (left) left.mut = "lr";
    expect(mutations({ parameters: 1 }).mutation(left ? [left] : [], { indices: [] })[0]?.mut).toBe("None");
  });

  it("gives each member draws of its own, the same every time and for any part of the population", () => {
    const operator = mutations({ architecture: 1, parameters: 1, activation: 1 });
    const asked = (count: number, generation: number) =>
      operator.mutation(members(count), { generation }).map((m) => m.asked.join());
    expect(asked(6, 4)).toEqual(asked(6, 4));
    expect(asked(3, 4)).toEqual(asked(6, 4).slice(0, 3));
    expect(asked(6, 5)).not.toEqual(asked(6, 4));
    expect(new Set(asked(6, 4)).size).toBe(6);
  });

  it("passes on its settings", () => {
    const [member] = mutations({ architecture: 1, new_layer_prob: 0.7 }).mutation(members(1));
    expect(member?.asked[0]).toContain('"new_layer_prob":0.7');
    const [other] = mutations({ parameters: 1, mutation_sd: 0.3 }).mutation(members(1));
    expect(other?.asked[0]).toContain('"mutation_sd":0.3');
    const [third] = mutations({ activation: 1 }).mutation(members(1));
    expect(third?.asked[0]).toContain('["ReLU","ELU","GELU"]');
  });

  it("steps a hyperparameter from the member's own value, members sharing one configuration", () => {
    const population = members(40);
    mutations({ rl_hp: 1 }).mutation(population);
    const values = new Set(population.map((m) => m.hyperparameters.lr));
    expect(values).toEqual(new Set([8e-4, 1.2e-3]));
  });

  it("says None where no hyperparameter can change", () => {
    const none = mutations({ rl_hp: 1 }).mutation(members(3, null));
    const fixed = new HyperparameterConfig({ lr: new RLParameter({ min: 1e-3, max: 1e-3 }) });
    const stuck = mutations({ rl_hp: 1 }).mutation(members(3, fixed));
    expect([...none, ...stuck].every((m) => m.mut === "None" && m.hyperparameters.lr === 1e-3)).toBe(true);
  });

  it("refuses settings out of range", () => {
    expect(() => mutations({ parameters: -1 })).toThrow(/Mutations\.parameters: found -1/);
    expect(() => mutations({ new_layer_prob: 1.5 })).toThrow(/new_layer_prob: found 1.5, allowed 0 to 1/);
    expect(() => mutations({ rl_hp: Number.NaN })).toThrow(/rl_hp: found NaN/);
    expect(() => mutations({ mutation_sd: -0.1 })).toThrow(/mutation_sd/);
    expect(() => mutations({ rand_seed: -2 })).toThrow(/rand_seed/);
  });

  it("comes from its specification", () => {
    expect(Mutations.fromSpec(MutationSpec.parse({}), { rand_seed: 5 })).toMatchObject({
      no_mutation: 0.4,
      architecture: 0.2,
      new_layer_prob: 0.2,
      parameters: 0.2,
      activation: 0,
      rl_hp: 0.2,
      mutation_sd: 0.1,
      rand_seed: 5,
      mutate_elite: true,
    });
  });
});

describe("lineage", () => {
  it("says where each member came from and which hyperparameters changed", () => {
    const parents = members(3);
    const before = recordHyperparameters(parents);
    const next = [(parents[2] as Member).clone(), (parents[1] as Member).clone(7)];
    next[1]?.setHyperparameter("lr", 0.5);
    if (next[1]) next[1].mut = "lr";
    expect(lineageEvents(4, next, before)).toEqual([
      { generation: 4, slot: 0, index: 2, parent: 2, mutation: "None", hyperparameters: {} },
      {
        generation: 4,
        slot: 1,
        index: 7,
        parent: 1,
        mutation: "lr",
        hyperparameters: { lr: { from: 1e-3, to: 0.5 } },
      },
    ]);
  });

  it("compares a first generation with itself before its mutation", () => {
    const first = members(1);
    const before = recordHyperparameters(first);
    first[0]?.setHyperparameter("lr", 2e-3);
    expect(lineageEvents(0, first, before)[0]).toMatchObject({
      parent: null,
      hyperparameters: { lr: { from: 1e-3, to: 2e-3 } },
    });
  });
});
