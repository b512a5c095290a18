import { describe, expect, it } from "vitest";
import type { LayerStructure } from "../../../src/tracking/observer.ts";
import { numberNames } from "../../../src/ui/lib/numberNames.ts";
import { graphLayout } from "../../../src/ui/pages/run/network/graphLayout.ts";
import { alignLayers } from "../../../src/ui/pages/run/network/networkDiff.ts";
import { networkGraph, nodeOutputs } from "../../../src/ui/pages/run/network/networkGraph.ts";
import { layerRidges, ridgeGenerations } from "../../../src/ui/pages/run/network/ridges.ts";
import type { WeightLinks } from "../../../src/workers/protocol.ts";

const layer = (width: number, kind = "linear"): LayerStructure => ({
  kind,
  width,
  activation: "ReLU",
  norm: false,
  parameters: width,
});

/** Links of a line of layers, whose weights `weight` gives by layer and place. */
const line = (widths: readonly number[], weight: (at: number, place: number) => number): WeightLinks[] =>
  widths.slice(1).map((width, at) => {
    const size = widths[at] ?? 0;
    return {
      layer: `l${at}`,
      shape: [size, width],
      values: Float32Array.from({ length: size * width }, (_, place) => weight(at, place)),
      sources: [{ layer: at === 0 ? null : `l${at - 1}`, label: "input", size }],
    };
  });

const pairs = (now: readonly number[], before = now) => ({
  name: "actor",
  layers: alignLayers(
    now.map((width) => layer(width)),
    before.map((width) => layer(width)),
  ),
});

describe("networkGraph", () => {
  it("has a node per unit, columns from inputs to outputs, and edges relative to the strongest", () => {
    const links = line([3, 4, 2], (at, place) => (at === 0 ? place - 6 : place === 5 ? -0.5 : 0));
    const { blocks, edges, connections } = networkGraph(pairs([4, 2]), links);
    expect(blocks.map(({ column, nodes }) => [column, nodes.length])).toEqual([
      [0, 3],
      [1, 4],
      [2, 2],
    ]);
    // One of 12 weights is 0, and all but one of 8.
    expect(connections).toBe(12);
    expect(edges.at(-1)?.weight === 1 || edges.at(-1)?.weight === -1).toBe(true);
    expect(edges).toContainEqual({ from: { block: 1, node: 2 }, to: { block: 2, node: 1 }, weight: -1 });
    expect(edges).toContainEqual({ from: { block: 0, node: 0 }, to: { block: 1, node: 3 }, weight: -0.5 });
  });

  it("groups wide layers, whose edges are their strongest weight", () => {
    const links = line([1, 130], (_at, place) => (place === 4 ? -3 : 1));
    const { blocks, edges } = networkGraph(pairs([130]), links);
    expect(blocks[1]).toMatchObject({ perNode: 3, units: 130 });
    expect(blocks[1]?.nodes).toHaveLength(44);
    expect(edges.find(({ to }) => to.node === 1)?.weight).toBe(-1);
  });

  it("draws at most 2,000 edges, the strongest of each layer", () => {
    const links = line([64, 64, 64], (_at, place) => 1 + place);
    const { edges, connections } = networkGraph(pairs([64, 64]), links);
    expect(connections).toBe(2 * 64 * 64);
    expect(edges).toHaveLength(2000);
    expect(edges.every(({ weight }) => weight > 0.7)).toBe(true);
  });

  it("marks what was added and removed", () => {
    const grown = networkGraph(pairs([6, 2], [4, 2]), null).blocks[0]?.nodes;
    expect(grown).toEqual([null, null, null, null, "added", "added"]);
    const pruned = networkGraph(pairs([2, 2], [3, 2]), null).blocks[0]?.nodes;
    expect(pruned).toEqual([null, null, "removed"]);
    const shorter = networkGraph(pairs([4, 2], [4, 3, 2]), null);
    expect(shorter.blocks.map(({ column, units }) => [column, units])).toEqual([
      [0, 4],
      [1, 0],
      [2, 2],
    ]);
  });

  it("draws no weights of a network of other sizes", () => {
    const { edges, blocks } = networkGraph(
      pairs([5, 2]),
      line([3, 4, 2], () => 1),
    );
    expect(edges).toEqual([]);
    expect(blocks).toHaveLength(2);
  });

  it("reads the strongest of an LSTM's four gates, and leaves its own state out", () => {
    const links: WeightLinks[] = [
      {
        layer: "l0",
        shape: [1, 8],
        values: Float32Array.from([1, 0, 0, 0, 0, -4, 0, 0]),
        sources: [{ layer: null, label: "input", size: 1 }],
      },
    ];
    const { edges } = networkGraph(
      { name: "actor", layers: alignLayers([layer(2, "lstm")], [layer(2, "lstm")]) },
      links,
    );
    expect(edges.map(({ to, weight }) => [to.node, weight])).toEqual([
      [0, 0.25],
      [1, -1],
    ]);
  });

  it("puts streams that read the same units into one column", () => {
    const links: WeightLinks[] = ["a", "b", "c"].map((name) => ({
      layer: name,
      shape: [2, 2],
      values: Float32Array.from([1, 1, 1, 1]),
      sources: [{ layer: name === "a" ? null : "a", label: "input", size: 2 }],
    }));
    const { blocks } = networkGraph(pairs([2, 2, 2]), links);
    expect(blocks.map(({ column }) => column)).toEqual([0, 1, 2, 2]);
  });
});

describe("graphLayout", () => {
  it("fits its room, keeps nodes apart, and is wider only for many columns", () => {
    const graph = networkGraph(
      pairs([64, 64, 2]),
      line([4, 64, 64, 2], () => 1),
    );
    const { blocks, width, height } = graphLayout(graph, 800);
    expect(width).toBe(800);
    for (const { x, ys, radius } of blocks) {
      expect(x - radius).toBeGreaterThan(0);
      expect(x + radius).toBeLessThan(width);
      expect(Math.max(...ys) + radius).toBeLessThan(height);
      for (const [at, y] of ys.slice(1).entries()) expect(y - (ys[at] ?? 0)).toBeGreaterThan(radius);
    }
    expect(graphLayout(graph, 100).width).toBeGreaterThan(200);
  });
});

describe("nodeOutputs", () => {
  it("is the mean over units of a node and places of an image; null for other sizes", () => {
    const [, block] = networkGraph(
      pairs([2]),
      line([1, 2], () => 1),
    ).blocks;
    if (block === undefined) throw new Error("no layer");
    expect([...(nodeOutputs(block, [1, 10, 3, 30]) ?? [])]).toEqual([2, 20]);
    expect(nodeOutputs(block, [1, 2, 3])).toBeNull();
  });
});

describe("ridges", () => {
  it("are of at most 24 generations, evenly spaced to the last", () => {
    expect(ridgeGenerations(0)).toEqual([]);
    expect(ridgeGenerations(3)).toEqual([1, 2, 3]);
    const many = ridgeGenerations(1000);
    expect([many.length, many[0], many.at(-1), new Set(many).size]).toEqual([24, 1, 1000, 24]);
  });

  it("share one range, and heights relative to the densest", () => {
    const stored = [1, 2].map((generation) => ({
      generation,
      networks: [
        {
          name: "actor",
          layers: [],
          parameters: 0,
          links: line([1, 2], () => 1),
          weights: [
            {
              name: "l0.weight",
              shape: [1, 2],
              histogram: { min: -generation, max: generation, counts: [1, 3] },
            },
            { name: "l0.bias", shape: [2], histogram: { min: 0, max: 1, counts: [1, 1] } },
          ],
        },
      ],
    }));
    const [layer, ...others] = layerRidges(stored);
    expect(others).toEqual([]);
    expect(layer).toMatchObject({ name: "actor.l0.weight", min: -2, max: 2 });
    expect(layer?.ridges[0]?.points[1]).toEqual([0.5, 1]);
    expect(layer?.ridges[1]?.points[1]).toEqual([1, 0.5]);
    expect(layerRidges(stored.slice(1))).toEqual([]);
  });
});

describe("the names of a network's numbers", () => {
  const names = numberNames("CartPole-v1");
  const drawn = (network: string, widths: readonly number[], given = names) =>
    networkGraph(
      { ...pairs(widths.slice(1)), name: network },
      line(widths, () => 1),
      given,
    );

  it("are at the inputs and at the policy's outputs, and where the counts differ nowhere", () => {
    expect(drawn("actor", [4, 8, 2]).blocks.map((block) => block.names)).toEqual([
      ["cart position", "cart velocity", "pole angle", "pole angular velocity"],
      null,
      ["push left", "push right"],
    ]);
    expect(drawn("critic", [4, 8, 2]).blocks.at(-1)?.names).toBeNull();
    expect(drawn("actor", [8, 8, 3]).blocks.map((block) => block.names)).toEqual([null, null, null]);
    expect(numberNames("user/mine")).toEqual({ observation_names: null, action_names: null });
  });

  it("have room beside the first and the last column", () => {
    const { blocks } = graphLayout(drawn("actor", [4, 8, 2]), 600);
    const plain = graphLayout(drawn("actor", [4, 8, 2], numberNames("user/mine")), 600);
    expect(blocks.map(({ named }) => named)).toEqual(["left", null, "right"]);
    expect(plain.blocks.map(({ named }) => named)).toEqual([null, null, null]);
    expect(blocks[0]?.x).toBeGreaterThan(100 + (plain.blocks[0]?.x ?? 0) - 34);
    expect(600 - (blocks[2]?.x ?? 0)).toBeGreaterThan(6 * "push right".length);
  });
});
