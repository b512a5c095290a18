import { describe, expect, it } from "vitest";
import type { GenerationReport, MemberReport } from "../../../src/tracking/observer.ts";
import { agentFacts, mutationWords } from "../../../src/ui/pages/run/descent/agentFacts.ts";
import { lineageFate, lineageGraph } from "../../../src/ui/pages/run/descent/LineageGraph.ts";
import { births, walk } from "../../../src/ui/pages/run/lineage/LineageScene.ts";
import { placesOf } from "../../../src/ui/pages/run/lineage/treeLayout.ts";
import { shownRow } from "../../../src/ui/series/historyCells.ts";
import { historyOf } from "../support/histories.ts";
import { generationReport } from "../support/reports.ts";

type Agent = Partial<MemberReport> & { index: number; parent: number | null; fitness: number };

function report(generation: number, agents: readonly Agent[]): GenerationReport {
  const made = generationReport(
    generation,
    agents.map(({ fitness }) => fitness),
  );
  const hyperparameters = { lr: 0.001, batch_size: 64 };
  return {
    ...made,
    members: made.members.map((member, slot) => ({
      ...member,
      mutation: "None",
      hyperparameters,
      ...agents[slot],
    })),
  };
}

// 0 goes on for two generations; 3 comes from it with another lr and wins; 1 and its clone 2 end.
const columns = historyOf([
  report(1, [
    { index: 0, parent: null, fitness: 5 },
    { index: 1, parent: null, fitness: 9 },
  ]),
  report(2, [
    { index: 0, parent: 0, fitness: 7 },
    { index: 2, parent: 1, fitness: 1, mutation: "act" },
  ]),
  report(3, [
    { index: 3, parent: 0, fitness: 8, mutation: "lr", hyperparameters: { lr: 0.002, batch_size: 64 } },
    { index: 4, parent: 0, fitness: Number.NaN, mutation: "encoder.add_layer" },
  ]),
]);
const graph = lineageGraph(columns);
const fate = lineageFate(graph, columns, 2);

describe("agentFacts", () => {
  it("tells an agent's life, clones and place in its descent", () => {
    expect(agentFacts(columns, graph, fate, 0)).toMatchObject({
      first: 1,
      last: 2,
      fitness: 7,
      rank: 1,
      parent: null,
      children: [3, 4],
      fate: "ancestor",
      differences: [],
    });
    expect(agentFacts(columns, graph, fate, 1)).toMatchObject({ children: [2], fate: "ended", rank: 1 });
  });

  it("tells what an agent has otherwise than its parent", () => {
    expect(agentFacts(columns, graph, fate, 3)).toMatchObject({
      first: 3,
      last: 3,
      parent: 0,
      kind: "hyperparameter",
      mutation: "lr",
      differences: [{ name: "lr", from: 0.001, to: 0.002 }],
      fate: "elite",
    });
  });

  it("tells the mutations of an agent that goes on", () => {
    const elite = { index: 0, parent: 0, fitness: 9 };
    const rising = historyOf([
      report(1, [{ ...elite, parent: null }]),
      report(2, [{ ...elite, mutation: "lr", hyperparameters: { lr: 0.002, batch_size: 64 } }]),
      report(3, [{ ...elite, hyperparameters: { lr: 0.002, batch_size: 64 } }]),
    ]);
    const tree = lineageGraph(rising);
    expect(agentFacts(rising, tree, lineageFate(tree, rising, 2), 0)?.later).toMatchObject([
      {
        generation: 2,
        kind: "hyperparameter",
        mutation: "lr",
        differences: [{ name: "lr", from: 0.001, to: 0.002 }],
      },
    ]);
  });

  it("counts an agent that lives beside the elite's line as its ancestor", () => {
    const beside = historyOf([
      report(1, [
        { index: 0, parent: null, fitness: 5 },
        { index: 1, parent: null, fitness: 1 },
      ]),
      report(2, [
        { index: 0, parent: 0, fitness: 5 },
        { index: 2, parent: 0, fitness: 9 },
      ]),
    ]);
    const tree = lineageGraph(beside);
    expect(agentFacts(beside, tree, lineageFate(tree, beside, 1), 0)).toMatchObject({
      fate: "ancestor",
      last: 2,
    });
  });

  it("has no rank for an agent without a fitness", () => {
    expect(agentFacts(columns, graph, fate, 4)).toMatchObject({ rank: null, fate: "survives" });
  });

  it("knows only what was born by the generation that is looked at", () => {
    const earlier = lineageFate(graph, columns, 0);
    expect(agentFacts(columns, graph, earlier, 3)).toBeNull();
    expect(agentFacts(columns, graph, earlier, 0)).toMatchObject({ first: 1, last: 1, fitness: 5 });
    expect(agentFacts(columns, graph, fate, 99)).toBeNull();
  });
});

describe("mutationWords", () => {
  const differences = [{ name: "lr", from: 0.0018, to: 0.0027 }];

  it.each([
    ["hyperparameter", "lr", null, "lr 0.0018 → 0.0027"],
    ["none", "None", null, "unchanged copy"],
    ["parameters", "param", { network: "actor" }, "actor: weight noise"],
    ["activation", "act", { network: "critic", from: "ReLU", to: "ELU" }, "critic: activation ReLU → ELU"],
    ["architecture", "head_net.add_node", null, "head_net.add_node"],
    [
      "architecture",
      "head_net.add_node",
      { network: "actor", method: "add_node", layer: 1, from: 64, to: 96 },
      "actor: add_node, layer 2 64 → 96",
    ],
  ] as const)("says of %s", (kind, mutation, detail, words) => {
    expect(mutationWords({ kind, mutation, differences }, detail === null ? null : { kind, ...detail })).toBe(
      words,
    );
  });
});

describe("the walk through the tree", () => {
  it("leads to parents, the likeliest successor, and neighbours", () => {
    const [parent, ended, elite, other] = [2, 3, 4, 5];
    const tree = {
      graph,
      fate,
      places: placesOf("lanes", "generation", graph, columns, { low: 0, high: 1 }),
    };
    expect(walk(tree, elite, "ArrowLeft")).toBe(parent);
    expect(walk(tree, 0, "ArrowLeft")).toBe(0);
    expect(walk(tree, parent, "ArrowRight")).toBe(elite);
    expect(walk(tree, ended, "ArrowRight")).toBe(ended);
    expect(walk(tree, elite, "ArrowDown")).toBe(other);
    expect(walk(tree, other, "ArrowDown")).toBe(other);
    expect(walk(tree, 0, "End")).toBe(elite);
    expect(walk(tree, elite, "x")).toBeNull();
  });
});

it("lists every agent once, the newest first", () => {
  const listed = births(columns, 2).map((cell) => columns.index[cell]);
  expect(listed).toEqual([4, 3, 2, 1, 0]);
  expect(births(columns, 0).map((cell) => columns.index[cell])).toEqual([1, 0]);
});

it("shows the generation of the address, else the newest", () => {
  expect([shownRow(columns, null), shownRow(columns, 2), shownRow(columns, 77)]).toEqual([2, 1, 2]);
});
